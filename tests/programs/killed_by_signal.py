# SIGTERM without a handler in a hot loop: the process dies by the signal, and flushes no more than python does.
# kiln-test: exit=-15
import os
import signal
import sys
import threading

print("before", flush=True)
sys.stdout.write("lost in the buffer")
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
n = 0
while True:
    n += 1
