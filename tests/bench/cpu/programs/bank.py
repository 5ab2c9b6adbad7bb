"""Objects that call each other: classes, inheritance, properties, dunder methods and an event queue."""

import heapq
import sys

BENCH = {"group": "objects", "size": 90_000, "short_size": 25_000, "small": 100, "numba": "classes"}


class Account:
    interest = 0

    def __init__(self, owner, balance=0):
        self.owner = owner
        self._balance = balance
        self.history = []

    @property
    def balance(self):
        return self._balance

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self._balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self._balance:
            raise LookupError(f"{self.owner} lacks {amount - self._balance}")
        self._balance -= amount
        self.history.append(("withdraw", amount))

    def month(self):
        if len(self.history) > 50:
            del self.history[:40]


class Savings(Account):
    interest = 2

    def month(self):
        super().month()
        self._balance += self._balance * self.interest // 1200


class Event:
    __slots__ = ("time", "kind", "source", "target", "amount")

    def __init__(self, time, kind, source, target, amount):
        self.time = time
        self.kind = kind
        self.source = source
        self.target = target
        self.amount = amount

    def __lt__(self, other):
        return self.time < other.time


class Bank:
    def __init__(self, names):
        self.accounts = {}
        for index, name in enumerate(names):
            self.accounts[name] = (Savings if index % 3 == 0 else Account)(name, 1000)
        self.refused = 0

    def handle(self, event):
        method = getattr(self, "on_" + event.kind)
        method(event)

    def on_transfer(self, event):
        try:
            self.accounts[event.source].withdraw(event.amount)
        except LookupError:
            self.refused += 1
        else:
            self.accounts[event.target].deposit(event.amount)

    def on_month(self, event):
        for account in self.accounts.values():
            account.month()


def run(n):
    names = [f"client{k}" for k in range(30)]
    bank = Bank(names)
    queue = []
    state = 7
    handled = 0
    for step in range(n):
        state = (state * 16807) % 2147483647
        kind = "month" if state % 200 == 0 else "transfer"
        event = Event(step + state % 50, kind, names[state % 30], names[state // 30 % 30], state % 400 + 1)
        heapq.heappush(queue, event)
        if len(queue) > 20:
            bank.handle(heapq.heappop(queue))
            handled += 1
    return sum(account.balance for account in bank.accounts.values()) * 7 + handled + bank.refused


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
