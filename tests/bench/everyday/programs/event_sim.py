"""A bank with tellers: discrete event simulation with heapq and classes."""

import heapq
import sys
from collections import deque

BENCH = {"size": 25_000, "small": 50}


class Event:
    counter = 0

    def __init__(self, time, action, customer=None):
        self.time = time
        self.action = action
        self.customer = customer
        Event.counter += 1
        self.serial = Event.counter

    def __lt__(self, other):
        if self.time != other.time:
            return self.time < other.time
        return self.serial < other.serial


class Customer:
    def __init__(self, number, arrived, work):
        self.number = number
        self.arrived = arrived
        self.work = work
        self.waited = None


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) % 2 ** 31
        return (self.state >> 16) % n


class Bank:
    def __init__(self, tellers, customers, seed):
        self.rng = Random(seed)
        self.free = tellers
        self.queue = deque()
        self.events = []
        self.now = 0
        self.left = customers
        self.served = []
        self.longest = 0

    def schedule(self, delay, action, customer=None):
        heapq.heappush(self.events, Event(self.now + delay, action, customer))

    def arrive(self, customer):
        customer = Customer(self.left, self.now, self.rng.below(90) + 10)
        self.left -= 1
        if self.left > 0:
            self.schedule(self.rng.below(25) + 1, self.arrive)
        self.queue.append(customer)
        self.longest = max(self.longest, len(self.queue))
        self.start_service()

    def start_service(self):
        while self.free and self.queue:
            customer = self.queue.popleft()
            customer.waited = self.now - customer.arrived
            self.free -= 1
            self.schedule(customer.work, self.finish, customer)

    def finish(self, customer):
        self.free += 1
        self.served.append(customer)
        self.start_service()

    def run(self):
        self.schedule(0, self.arrive)
        while self.events:
            event = heapq.heappop(self.events)
            self.now = event.time
            event.action(event.customer)
        return sum(c.waited for c in self.served), self.now, self.longest


def run(size):
    Event.counter = 0
    results = []
    for seed in range(1, 5):
        results.append(Bank(4, size, seed).run())
    return [sum(r) for r in zip(*results)]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
