"""Numbers drawn from NumPy's generators amid loops: the same as without compiled code, from the same states, which stay as they would be.
Arguments that are refused, results of other classes, subclasses, sources that change or that another thread is at."""
# kiln-test: needs=numpy libraries=compiled
import threading

import numpy as np
from _arrays import digest, fresh, outcome

COUNT = 3200


class Own(np.random.RandomState):
    def random_sample(self, size=None):
        return 0.25


def from_module():
    out = []
    for i in range(COUNT):
        out.append(np.random.random())
        out.append(np.random.random_sample())
        out.append(np.random.rand())
        out.append(np.random.uniform(i, i + 2.5))
        out.append(np.random.uniform())
        out.append(np.random.randn())
        out.append(np.random.standard_normal())
        out.append(np.random.normal(3, 0.5))
        out.append(np.random.normal())
        out.append(np.random.randint(10))
        out.append(np.random.randint(-5, np.int64(1 + i)))
    return out


def from_source(source):
    out = []
    for i in range(COUNT):
        out.append(source.random_sample())
        out.append(source.normal(i, 1.5))
        out.append(source.randint(0, 1 << (1 + i % 60)))
    return out


def from_generator(source):
    out = []
    for _ in range(COUNT):
        out.append(source.random())
    return out


def of_other_forms(source):
    out = []
    for i in range(COUNT):
        out.append(source.random_sample(2))
        out.append(source.randint(0, 5, dtype=np.int8))
        out.append(source.randint(3, size=()))
        out.append(source.uniform(low=i))
        out.append(source.normal([i]))
        out.append(source.rand(1))
        out.append(source.normal(scale=2.0))
    return out


def bound(source):
    draw, among = source.random_sample, source.randint
    out = []
    for _ in range(COUNT):
        out.append(draw())
        out.append(among(7))
    return out


def changing(source):
    out = []
    for i in range(COUNT):
        if i % 100 == 50:
            source.seed(i)
        if i % 100 == 70:
            state = source.get_state()
            source.standard_normal()
            source.set_state(state)
        out.append(source.standard_normal())
        out.append(source.random_sample())
    return out


def refused(source, *limits):
    """Draws until what is asked for cannot be given."""
    out = []
    for i in range(COUNT):
        low, high, scale = limits if i == COUNT - 1 else (0, 5, 1.0)
        out.append(outcome(source.randint, low, high))
        out.append(source.randint(0, 3))
        out.append(source.normal(0.0, 2.0))
        out.append(source.randint(low, high) if low < high else outcome(source.randint, low, high))
        out.append(source.normal(0.0, scale))
    return out


def mixed(sources):
    out = []
    for i in range(COUNT):
        source = sources[i % len(sources)] if i > COUNT // 2 else sources[0]
        out.append(source.random_sample() if i % 3 else source.normal())
    return out


def state_of(source):
    state = source.get_state(legacy=False)
    return state["has_gauss"], state["gauss"], int(state["state"]["key"].sum()), state["state"]["pos"]


for seed in (0, 1, 12345):
    np.random.seed(seed)
    print(*digest(fresh(from_module)()), state_of(np.random.mtrand._rand))
    for function in (from_source, of_other_forms, bound, changing):
        source = np.random.RandomState(seed)
        print(function.__name__, *digest(fresh(function)(source)), state_of(source))
    for bits in (np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64):
        generator = np.random.Generator(bits(seed))
        print(bits.__name__, *digest(fresh(from_generator)(generator)), generator.random())
    own = Own(seed)
    print("own", *digest(fresh(from_source)(own)), state_of(own))
    print("shared", *digest(fresh(mixed)([np.random.RandomState(seed), own, np.random.mtrand._rand])))
for limits in ((5, 5, 1.0), (5, 4, 1.0), (-(2**63), 2**63 - 1, 1.0), (0, 5, -1.0), (0, 5, -0.0), (0, 5, float("nan")), (0, 5, float("inf")), (0, 2**70, 1.0)):
    source = np.random.RandomState(7)
    print(limits, outcome(lambda: digest(fresh(refused)(source, *limits))), state_of(source))


def uniform_at_last(source, low, high):
    out = []
    for i in range(COUNT):
        out.append(source.uniform(low, high) if i == COUNT - 1 else source.uniform(0.0, 1.0))
    return out


for low, high in ((-1e308, 1e308), (float("nan"), 1.0), (float("inf"), 1.0), (3, True), (2**70, 2**71), (1.0, -1.0), (-0.0, -0.0)):
    source = np.random.RandomState(8)
    print(low, high, outcome(lambda: digest(fresh(uniform_at_last)(source, low, high))), state_of(source))

# Another thread has the source while it fills an array without the GIL.
source = np.random.RandomState(9)
stop = False


def fill():
    while not stop:
        source.random_sample(50000)


def draw_for_a_while():
    least = 1.0
    for _ in range(60000):
        least = min(least, source.random_sample())
    return 0.0 <= least < 0.01


thread = threading.Thread(target=fill)
thread.start()
print([draw_for_a_while() for _ in range(2)])
stop = True
thread.join()
held = np.random.RandomState(10)


def while_locked():
    total = 0.0
    for _ in range(COUNT):
        total += held.random_sample()
    return total


print(while_locked(), while_locked())
waiting = threading.Thread(target=lambda: print("behind the lock", while_locked()))
with held._bit_generator.lock:
    waiting.start()
    waiting.join(0.2)
    print(waiting.is_alive())
waiting.join()
# The module's functions become others.
kept = np.random.random


def asks():
    total = 0.0
    for i in range(COUNT):
        if i == 2000:
            np.random.random = lambda: 1000.0
        total += np.random.random()
    np.random.random = kept
    return total


np.random.seed(3)
print([fresh(asks)() for _ in range(3)])
