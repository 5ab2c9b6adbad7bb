# Numbers on the left of instances whose classes derive from numbers: who is asked first.
class Int(int):
    def __add__(self, other):
        return Int(int(self) + int(other))

    def __radd__(self, other):
        return Int(int(other) + int(self))

    def __mul__(self, other):
        return Int(int(self) * int(other))

    def __rmul__(self, other):
        return Int(int(other) * int(self))

    def __rsub__(self, other):
        return "Int", int(other) - int(self)

    def __rtruediv__(self, other):
        return "Int", other

    def __lt__(self, other):
        return "Int"

    def __gt__(self, other):
        return "Int"

    def __repr__(self):
        return f"Int({int(self)})"


class Float(float):
    def __radd__(self, other):
        return Float(float(other) + float(self) + 100)

    def __rsub__(self, other):
        return "Float", other

    def __rmul__(self, other):
        return "Float", other

    def __rtruediv__(self, other):
        return "Float", other

    def __gt__(self, other):
        return "Float"

    def __repr__(self):
        return f"Float({float(self)})"


class Plain:
    def __radd__(self, other):
        return "Plain", other

    __rsub__ = __rmul__ = __rtruediv__ = __gt__ = __radd__


def add(left, right):
    return left + right, left * right, left - right


def divide(left, right):
    return left / right, left < right


def run(left, right, rounds=300):
    seen = {}
    for _ in range(rounds):
        text = repr((add(left, right), divide(left, right)))
        seen[text] = seen.get(text, 0) + 1
    return seen


def sums(values, others):
    total = 0
    for value, other in zip(values, others):
        total += value * other
    return total


for left in (7, 1.5, True, False, -0.0, 2**70):
    for right in (Int(3), Float(2.5), Plain()):
        print(repr(left), type(right).__name__, run(left, right))
print([sums([-5, 1.5] * 200, [-5, Int(7)] * 200), sums([1.5] * 300, [Int(7)] * 300), sums([True] * 300, [Int(7)] * 300)])
