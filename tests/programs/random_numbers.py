# Seeded random numbers drawn in hot loops: the sequence, and the state left behind, are the same.
# kiln-test: libraries=compiled
import random


def monte_carlo_pi(count):
    inside = 0
    for _ in range(count):
        x, y = random.random(), random.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / count


def mixed_draws(count):
    generator = random.Random(7)
    total = 0
    for i in range(count):
        total += generator.randrange(10) + generator.randint(-5, 5)
        if i % 3 == 0:
            total += len(generator.choice(["a", "bb", "ccc"]))
        if i % 5 == 0:
            total += generator.gauss(0.0, 1.0) > 0
    return total, generator.random()


def walk(count):
    draw = random.random
    position = farthest = 0
    for _ in range(count):
        position += 1 if draw() < 0.5 else -1
        if abs(position) > farthest:
            farthest = abs(position)
    return position, farthest


def shuffled(count):
    items = list(range(50))
    for _ in range(count):
        random.shuffle(items)
    return items


def replaced_midway(count):
    original = random.random
    total = 0.0
    for i in range(count):
        total += random.random()
        if i == count // 2:
            random.random = lambda: 0.5
    random.random = original
    return total.hex()


class Own(random.Random):
    """Its numbers are those of the class that it is made of."""


class Halves(random.Random):
    def random(self):
        return super().random() / 2


def of_each(generators, count):
    total = 0.0
    for i in range(count):
        total += generators[i % len(generators)].random()
    return total.hex()


def states(generator, count):
    """The state is taken, set and seeded amid the draws; some results are dropped."""
    kept = generator.getstate()
    out = 0.0
    for i in range(count):
        if i % 1000 == 700:
            generator.setstate(kept)
        if i % 1000 == 900:
            generator.seed(i)
        generator.random()
        out += generator.random() - generator.getrandbits(3)
    return out.hex(), hash(generator.getstate())


def wrong_at_last(generator, count):
    total = 0.0
    for i in range(count):
        try:
            total += generator.random() if i < count - 2 else generator.random(1)
        except TypeError as error:
            print(error)
    return total.hex()


for kind in (random.Random, Own, Halves):
    print(kind.__name__, of_each([kind(3)], 5000), states(kind(4), 5000), wrong_at_last(kind(5), 5000))
print(of_each([random.Random(1), Own(2), Halves(3)], 6000))
random.seed(12345)
print(monte_carlo_pi(30000), mixed_draws(9000), walk(20000), shuffled(300))
print(replaced_midway(9000))
print(random.random(), random.getrandbits(70), hash(random.getstate()))
