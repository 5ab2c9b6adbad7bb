"""The sign of a nan is what the processor makes it, however the operators stand together: only minus and abs change it."""
import math
import struct

NAN = float("nan")
VALUES = [1.5, -2.0, 0.0, -0.0, math.inf, -math.inf, NAN, -NAN]

# Which of two nans a sum or product is made of is decided when CPython is compiled.
OF_ONE = """
-(-x)|-x / 3.0|-x * 2.5|-x * -2.5|-(x * 2.5)|-(x - 1.0)|-(x + 1.0)|x * -1.0|-1.0 * x|x / -1.0|-0.0 - x|0.0 - x|x - 0.0|x + 0.0
x + -0.0|x * 1.0|x / 1.0|x * 0.0|x - x|x * -1|-1 * x|-1 - x|x * (0.0 - 1.0)|1.0 - (-x)|(x + 1.0) - 1.0
-(x * x)|abs(-x)|abs(x * x)|-abs(x)|abs(abs(x))|math.fabs(-x)|-math.fabs(x)|max(-x, x)|min(x, -x)
-x if x < 0.0 else x|x if x > 0.0 else -x|math.sqrt(abs(x))|-x // 2.0|-x % 2.0
""".replace("\n", "|").strip("|").split("|")
OF_TWO = """
x - t|-t - x|x - -t|-(t - x)|-(-x - t)|-x - 2.5 - t|x - (t - 1.0)|(x - t) / -1.0|-0.0 - (x - t)
math.copysign(t, x)|math.copysign(-t, -x)|-math.copysign(t, x)
""".replace("\n", "|").strip("|").split("|")
OF_ONE_NAN = """
-t + x|x + -t|-(t + x)|-(t * x)|-t * x|t * -x|-t * -x|x + t|x * t|t - x * 2.0|t + x * -2.0|t - x * -2.0|-t + x + 1.0|(-t) + (-x)|x * x - t
x * -1.0 + t|t - x * -1.0|-(x / -1.0) * t
""".replace("\n", "|").strip("|").split("|")


def bits(x):
    return struct.pack(">d", x).hex()[:4]


def make(form):
    scope = {"math": math}
    exec(f"def run(xs, ts):\n last = []\n for x in xs:\n  for t in ts:\n   last.append({form})\n return last\n", scope)
    return scope["run"]


def show(form, pairs):
    run = make(form)
    for _ in range(12):
        run([1.0, 2.0, -3.0], [4.0, -0.5])
    print(form, [bits(y) for x, ts in pairs for y in run([x], ts)])


for form in OF_ONE:
    show(form, [(x, [0.0]) for x in VALUES])
for form in OF_TWO:
    show(form, [(x, VALUES) for x in VALUES])
for form in OF_ONE_NAN:
    show(form, [(x, VALUES if x == x else VALUES[:-2]) for x in VALUES])


def alternating(n, s):
    signs = []
    for _ in range(n):
        s = -s
        signs.append(bits(s))
    return signs[-2:]


for start in (1.0, -0.0, NAN, -NAN):
    alternating(40, 1.0)
    print(alternating(40, start))
