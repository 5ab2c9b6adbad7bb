# An uncaught Ctrl-C in a one-line hot loop: the traceback, and death by SIGINT as the shell must see it.
# kiln-test: exit=-2
import os
import signal
import threading

threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
while True:
    pass
