# An object ends with the last of many references to it, whatever holds them.
import types


class Noisy:
    ended = 0

    def __del__(self):
        Noisy.ended += 1


class Holder:
    def __init__(self, held):
        self.first = held
        self.second = [held] * 3


def listed(count):
    held = [Noisy()] * count
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def in_tuples(count):
    held = (Noisy(),) * count
    held = (held, held)
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def in_dict(count):
    one = Noisy()
    held = {str(n): one for n in range(count)}
    one = None
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def in_int_dict(count):
    one = Noisy()
    held = {n: one for n in range(count)}
    one = None
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def among_nones(count):
    held = [None] * count + [b"x" * 9] * count + [Noisy()]
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def in_closure(count):
    one = Noisy()

    def inner(a=one, *, b=one):
        return one

    one = inner.extra = None
    before = Noisy.ended
    inner = None
    return Noisy.ended - before


def in_default(count):
    def inner(a=Noisy()):
        return a

    before = Noisy.ended
    inner = None
    return Noisy.ended - before


def in_keyword_default(count):
    def inner(*, a=Noisy()):
        return a

    before = Noisy.ended
    inner = None
    return Noisy.ended - before


def in_function_dict(count):
    def inner():
        return 1

    inner.held = Noisy()
    before = Noisy.ended
    inner = None
    return Noisy.ended - before


def in_instance(count):
    held = Holder(Noisy())
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def in_instance_with_dict(count):
    held = Holder(1)
    held.__dict__["other"] = Noisy()
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def in_bound_method(count):
    held = types.MethodType(in_instance, Noisy())
    before = Noisy.ended
    held = None
    return Noisy.ended - before


def in_set(count):
    held = {Noisy(), count}
    before = Noisy.ended
    held = None
    return Noisy.ended - before


CASES = [
    listed,
    in_tuples,
    in_dict,
    in_int_dict,
    among_nones,
    in_closure,
    in_default,
    in_keyword_default,
    in_function_dict,
    in_instance,
    in_instance_with_dict,
    in_bound_method,
    in_set,
]
for case in CASES:
    print(case.__name__, [sum(case(count) for _ in range(300)) for count in (1, 3, 40, 70, 130, 300)])
