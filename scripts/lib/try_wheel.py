"""try_wheel.py WHEEL: run by the python of a new environment; the wheel goes in, kiln works there, and nothing of it stays."""
import os
import subprocess
import sys

PROGRAM = """
import os, sys
import pip
total = 0
for i in range(200000):
    total += i * i % 7
print(sys.prefix, os.path.dirname(os.__file__), sys.executable, os.path.dirname(pip.__file__), total, sep="|")
"""
CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=True, env={})"


def check(condition: bool, what: object) -> None:
    """Ends the program with a message unless the condition holds."""
    if not condition:
        sys.exit(f"try_wheel: {what}")


def filesOf(prefix: str) -> set[str]:
    """Every file below a folder."""
    return {os.path.join(parent, name) for parent, _, names in os.walk(prefix) for name in names}


def pip(*arguments: str) -> None:
    """Runs pip, without the network."""
    subprocess.run([sys.executable, "-m", "pip", "-q", "--no-input", "--disable-pip-version-check", *arguments], check=True)


def output(*command: str) -> str:
    """What a command that must succeed prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd="/", env={}).stdout.strip()


def tryProgram(kiln: str) -> None:
    """The environment's packages, kiln's own standard library, a child, and compiled code."""
    inside = os.path.join(sys.prefix, "lib")
    total = sum(i * i % 7 for i in range(200000))
    expected = [sys.prefix, f"{inside}/kiln/lib/python3.12", kiln, f"{inside}/python3.12/site-packages/pip", str(total)]
    for command in [kiln, "-c", PROGRAM], [kiln, "-c", CHILD, PROGRAM]:
        found = output(*command).split("|")
        check(found == expected, f"{found} is not {expected}")
    doctor = output(kiln, "-m", "kiln", "doctor")
    check("opened at the first compilation" in doctor and "state          on" in doctor, doctor)


os.environ.pop("PYTHONPATH", None)
before = filesOf(sys.prefix)
pip("install", "--no-index", sys.argv[1])
tryProgram(os.path.join(sys.prefix, "bin", "kiln"))
check(os.path.exists(os.path.join(sys.prefix, "share", "man", "man1", "kiln.1")), "no manual page")
pip("uninstall", "-y", "kiln")
left = filesOf(sys.prefix) - before
check(not {path for path in left if "/pip/" not in path and "__pycache__" not in path}, f"these stay: {sorted(left)[:5]}")
check(not os.path.exists(os.path.join(sys.prefix, "lib", "kiln")), "lib/kiln stays")
print("try_wheel: installs, runs with the environment's packages, and uninstalls")
