# A process that ends, in each way there is, while a large function is being compiled: at once, with its own status.
# kiln-test: modes=default
import os
import signal
import subprocess
import sys
import time

SOURCE = """
import os, signal, sys, time
lines = "\\n".join(f"        if (i + {k}) % 7 == {k % 7}: total += i * {k} % (i + 1)" for k in range(60))
names = {}
exec("def work(n):\\n    total = 0\\n    for i in range(n):\\n" + lines + "\\n    return total", names)
work = names["work"]
while time.perf_counter() < 0: pass
print(work(1500), flush=True)
"""
ENDS = {
    "falls off": "",
    "sys.exit": "sys.exit(5)",
    "os._exit": "os._exit(6)",
    "exception": "raise LookupError('end')",
    "signal": "os.kill(os.getpid(), signal.SIGKILL)",
    "terminated": "os.kill(os.getpid(), signal.SIGTERM)",
    "abort in a fork": "pid = os.fork()\nif pid == 0: os.abort()\nsys.exit(os.waitpid(pid, 0)[1] & 127)",
    "exec": "os.execv(sys.executable, [sys.executable, '-c', 'print(\"again\")'])",
    "threads": "import threading\nt = threading.Thread(target=work, args=(3000,))\nt.start()\nsys.exit(9)",
    "daemon": "import threading\nthreading.Thread(target=work, args=(10**9,), daemon=True).start()\nsys.exit(9)",
}

for name, end in ENDS.items():
    for delay in (0.0, 0.004, 0.02):
        pause = f"\ntime.sleep({delay})\n" if delay else "\n"
        start = time.monotonic()
        done = subprocess.run([sys.executable, "-c", SOURCE + pause + end], capture_output=True, text=True)
        quick = time.monotonic() - start < 20
        print(name, done.returncode, done.stdout.split(), done.stderr.splitlines()[-1:], quick)
print(signal.SIGKILL, os.name)
