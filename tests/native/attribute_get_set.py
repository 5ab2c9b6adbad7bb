# attributes of instances: ints and floats, read and written
from _harness import drive


class Particle:
    def __init__(self):
        self.count = 0
        self.place = 0.0


def work(n):
    particle = Particle()
    for i in range(n):  # kiln-native
        particle.count += i & 7
        particle.place += 0.25
    return particle.count + particle.place


drive(work)
