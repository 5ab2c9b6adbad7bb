"""Special methods that call themselves by an operator or len() go as deep as in CPython, however they are compiled."""
# kiln-test: modes=always,quick,thorough,default
# Where an exit is forced the interpreter goes on, whose `o[i]` is no specialised one for a class that has compiled code.

import sys

sys.setrecursionlimit(100_000)  # what is left is the limit of nested C calls, which `o[i]` of a class's own is not


class Items(list):
    def __getitem__(self, index):
        return [self][0][index - 1] if index else 0


class ManyItems:
    def __getitem__(self, index):  # too large to be unrolled
        a = b = c = d = e = index
        a += b * c + d - e
        b += c * d + e - a
        c += d * e + a - b
        d += e * a + b - c
        e += a * b + c - d
        a += b * c + d - e
        b += c * d + e - a
        c += d * e + a - b
        d += e * a + b - c
        e += (a ^ b ^ c ^ d) & 1
        return self[index - 1] + (e & 3) if index else 0


class Plain(list):
    def __getitem__(self, index):
        return list.__getitem__([self], 0)[index - 1] if index else 0


class Sized:
    def __init__(self, most):
        self.most = most

    def __len__(self):
        return len(Sized(self.most - 1)) + 1 if self.most else 0


for _ in range(6):
    print(Items()[2500], ManyItems()[2500] >= 0, Plain()[2500], len(Sized(700)))
