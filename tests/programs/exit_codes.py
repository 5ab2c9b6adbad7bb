# sys.exit from a hot loop, through finally blocks and atexit functions; children that end in every other way.
# kiln-test: exit=3
import atexit
import subprocess
import sys

CHILDREN = {
    "message": "import sys\nfor i in range(9000):\n    if i == 8000: sys.exit('text on stderr')",
    "none": "import sys\nfor i in range(9000):\n    if i == 8000: sys.exit(None)",
    "large": "import sys\nfor i in range(9000):\n    if i == 8000: sys.exit(256 + 7)",
    "raise": "for i in range(9000):\n    if i == 8000: raise SystemExit(9)",
    "hard": "import os\nfor i in range(9000):\n    if i == 8000: os._exit(11)",
    "abort": "import os\nfor i in range(9000):\n    if i == 8000: os.abort()",
    "kill": "import os, signal\nfor i in range(9000):\n    if i == 8000: os.kill(os.getpid(), signal.SIGKILL)",
    "error": "for i in range(9000):\n    if i == 8000: [][0]",
    "syntax": "for i in range(9000) print(i)",
    "memory": "for i in range(9000):\n    if i == 8000: 'x' * (1 << 62)",
    "exit in thread": """
import sys, threading
def f():
    for i in range(9000): pass
    sys.exit(5)
t = threading.Thread(target=f)
t.start()
t.join()
print('on')
""",
    "unraisable": "class D:\n    def __del__(self): 1 // 0\nfor i in range(9000):\n    if i == 8000: D()\nprint('on')",
}


def leave(count):
    total = 0
    try:
        for i in range(count):
            total += i
            if i == count - 10:
                sys.exit(3)
    finally:
        print("finally", total)


for name, source in CHILDREN.items():
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    errors = done.stderr.replace(sys.executable, "PYTHON").splitlines()
    print(name, done.returncode, done.stdout.strip(), [line for line in errors if "0x" not in line][-4:])
atexit.register(print, "atexit second")
atexit.register(lambda: print("atexit first", sum(i for i in range(9000))))
sys.stdout.flush()
leave(9000)
