"""SimPy: customers, counters, a store and interrupts in a simulated bank."""

import random
import sys

import simpy

BENCH = {"size": 18_000, "small": 20}


def customer(env, counters, store, log, patience, busy):
    arrived = env.now
    with counters.request() as turn:
        outcome = yield turn | env.timeout(patience)
        if turn not in outcome:
            log.append(-1.0)
            return
        waited = env.now - arrived
        yield env.timeout(busy)
        yield store.put(busy)
        log.append(waited)


def courier(env, store, taken):
    while True:
        item = yield store.get()
        taken.append(item)
        yield env.timeout(0.5)


def source(env, size, *parts):
    rng = random.Random(7)
    for _ in range(size):
        env.process(customer(env, *parts, rng.uniform(1, 8), rng.expovariate(0.5)))
        yield env.timeout(rng.expovariate(1.0))


def run(size):
    env = simpy.Environment()
    log, taken = [], []
    store = simpy.Store(env, capacity=20)
    env.process(source(env, size, simpy.Resource(env, capacity=2), store, log))
    env.process(courier(env, store, taken))
    env.run(until=size * 1.2 + 50)
    return len(log), log.count(-1.0), round(sum(log), 6), round(sum(taken), 6), round(env.now, 6)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
