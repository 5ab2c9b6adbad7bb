# A loop over functions of which one raises, in one call of ten, what its caller handles
from _harness import drive


class Refused(Exception):
    pass


class Account:
    def __init__(self):
        self.balance = 0
        self.history = []

    def withdraw(self, amount):  # kiln-native allow-opaque=CALL,RAISE_VARARGS,DELETE_SUBSCR
        if amount > self.balance:
            raise Refused(f"lacks {amount - self.balance}")
        self.balance -= amount
        self.history.append(("withdraw", amount))
        if len(self.history) > 50:
            del self.history[:40]

    def deposit(self, amount):
        self.balance += amount
        self.history.append(("deposit", amount))


class Bank:
    def __init__(self):
        self.accounts = {name: Account() for name in "abcdefgh"}
        self.refused = 0

    def transfer(self, source, target, amount):  # kiln-native allow-opaque=POP_EXCEPT,CALL
        try:
            self.accounts[source].withdraw(amount)
        except Refused:
            self.refused += 1
        else:
            self.accounts[target].deposit(amount)


def work(n):
    bank = Bank()
    names = list(bank.accounts)
    state = 7
    for step in range(n):  # kiln-native allow-opaque=CALL
        state = state * 16807 % 2147483647
        if step < 8:
            bank.accounts[names[step]].deposit(5000)
        bank.transfer(names[state % 8], names[state // 8 % 8], state % 400)
    return bank.refused, sorted((name, account.balance) for name, account in bank.accounts.items())


drive(work)
