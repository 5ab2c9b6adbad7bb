# sys.executable starts the same interpreter: -c, -m, stdin, options, environment and argument passing of children.
# kiln-test: args="alpha 'b c' --flag" timeout=240
import json
import subprocess
import sys

SHOW = """
import sys, json
t = 0
for i in range(9000):
    t += i
print(json.dumps([t, sys.argv, sys.orig_argv[1:], sys.flags.optimize, __name__]))
"""


def child(*arguments, **options):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **options)
    return done.returncode, done.stdout.strip(), done.stderr.strip().splitlines()[-1:]


print(sys.argv[1:], sys.orig_argv[2:] == sys.argv[1:])
code, out, errors = child("-c", SHOW, "x", "-y")
print(code, errors, json.loads(out)[0], json.loads(out)[1], json.loads(out)[2][-2:])
print(child("-O", "-c", "assert False; print('optimised', __debug__)"))
print(child("-", "arg", input=SHOW))
print(child("-m", "json.tool", input='{"a": [1, 2]}'))
print(child("-m", "timeit", "-n", "1", "-h")[0])
print(child("-W", "error", "-c", "import warnings\nfor i in range(6000):\n    if i == 5999: warnings.warn('w')"))
print(child("-I", "-c", "import sys; print(sys.flags.isolated, sys.flags.ignore_environment)"))
print(child("-E", "-s", "-c", "import sys; print(sys.flags.no_user_site)"))
print(child("-X", "utf8=1", "-c", "import sys; print(sys.flags.utf8_mode, sys._xoptions)"))
print(child("-B", "-q", "-u", "-c", "import sys; print(sys.dont_write_bytecode, sys.flags.quiet)"))
print(child("no such file.py")[0], child("-c", "1 +")[0], child("-m", "no.such.module")[0], child("--bad-option")[0])
print(child("-c", "import sys; print(sys.stdin.read())", input="through\n"))
print(
    child("-V")[1] == "Python " + sys.version.split()[0],
    child("-c", "import os, sys; print(os.environ['K'], sys.executable)", env={"K": "v"})[1] == "v " + sys.executable,
)
print(child("-i", "-c", "x = 5", input="print(x * 2)\nraise SystemExit(6)\n")[:2])
print(
    child("-c", "import sys; print(sys.prefix == sys.argv[1], sys.version == sys.argv[2])", sys.prefix, sys.version)[1]
)
