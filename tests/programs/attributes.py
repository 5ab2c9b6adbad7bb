# Attribute reads and writes in hot loops: instances, classes, modules, slots; attributes added, moved and deleted.
import types


class Particle:
    count = 0

    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.x += self.v * dt
        if self.x > 10.0 or self.x < -10.0:
            self.v = -self.v
            Particle.count += 1

    def energy(self):
        return 0.5 * self.v * self.v


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


def simulate(count):
    particles = [Particle(i * 0.7, 1.0 - i * 0.3) for i in range(10)]
    for _ in range(count):
        for p in particles:
            p.step(0.05)
    return sum(p.x for p in particles).hex(), sum(p.energy() for p in particles).hex(), Particle.count


def type_of_attribute_changes(count):
    p = Particle(0, 1)
    for i in range(count):
        p.x = p.x + p.v
        if i == count // 3:
            p.v = 0.5
        elif i == count // 2:
            p.x, p.v = "s", "t"
        elif i == count // 2 + 5:
            p.x, p.v = 2**62, 2**61
    return p.x, p.v


def shadowing(count):
    p = Particle(1, 2)
    total = 0
    for i in range(count):
        total += p.count
        if i == 2000:
            Particle.count = 7
        elif i == 4000:
            p.count = 1.5
        elif i == 6000:
            del p.count
        elif i == 8000:
            Particle.energy = lambda self: 3
        total += p.energy()
    return total


def slots(count):
    s = Slotted(0)
    missing = 0
    for i in range(count):
        s.a += i
        try:
            s.b += 1
        except AttributeError as error:
            missing += 1
            text = str(error)
            if i > 5000:
                s.b = 0
    return s.a, s.b, missing, text


def modules(count):
    m = types.ModuleType("m")
    m.value = 0
    total = 0
    for i in range(count):
        m.value += i
        total ^= m.value
        if i == 5000:
            m.__dict__["value"] = 0.5
            total = 0
            break
    for i in range(count):
        m.value += i
    return total, m.value


def missing(count):
    errors = {}
    p = Particle(1, 1)
    for i in range(count):
        try:
            if i % 3 == 0:
                p.nothing
            elif i % 3 == 1:
                None.x
            else:
                (5).y = 1
        except AttributeError as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return errors


def many_shapes(count):
    class A:
        kind = 1

    class B:
        kind = 2

    class C(A):
        def __getattr__(self, name):
            return len(name)

    things = [A(), B(), C(), Particle(1, 1), Slotted(4)]
    things[0].extra = 10
    total = 0
    for i in range(count):
        t = things[i % 5]
        total += getattr(t, "kind", 100) + getattr(t, "extra", -1) + hasattr(t, "x")
        setattr(things[1], f"n{i % 40}", i)
        if i % 40 == 39:
            things[1].__dict__.clear()
    return total, len(vars(things[1]))


def class_replaced(count):
    class One:
        def f(self):
            return 1

    class Two:
        def f(self):
            return 2

    thing = One()
    total = 0
    for i in range(count):
        total += thing.f()
        if i % 2000 == 1999:
            thing.__class__ = Two if thing.__class__ is One else One
    return total


print(simulate(3000), type_of_attribute_changes(9000), shadowing(10000))
print(slots(9000), modules(9000), missing(6000), many_shapes(9000), class_replaced(9000))
