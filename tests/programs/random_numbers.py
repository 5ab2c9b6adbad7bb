# Seeded random numbers drawn in hot loops: the sequence, and the state left behind, are the same.
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


random.seed(12345)
print(monte_carlo_pi(30000), mixed_draws(9000), walk(20000), shuffled(300))
print(replaced_midway(9000))
print(random.random(), random.getrandbits(70), hash(random.getstate()))
