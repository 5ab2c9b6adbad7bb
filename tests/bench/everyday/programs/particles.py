"""A particle simulation with dataclasses."""

import math
import sys
from dataclasses import dataclass, field
from typing import List

BENCH = {"size": 4400, "small": 10}


@dataclass
class Vec:
    x: float
    y: float

    def add(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def scale(self, k):
        return Vec(self.x * k, self.y * k)

    def length(self):
        return math.hypot(self.x, self.y)


@dataclass
class Particle:
    pos: Vec
    vel: Vec
    mass: float = 1.0
    trail: List[float] = field(default_factory=list)

    def kinetic(self):
        return 0.5 * self.mass * self.vel.length() ** 2


@dataclass
class World:
    width: float
    height: float
    gravity: Vec
    particles: List[Particle] = field(default_factory=list)
    bounces: int = 0

    def step(self, dt):
        for p in self.particles:
            p.vel = p.vel.add(self.gravity.scale(dt))
            p.pos = p.pos.add(p.vel.scale(dt))
            if p.pos.x < 0 or p.pos.x > self.width:
                p.vel.x = -p.vel.x
                p.pos.x = min(max(p.pos.x, 0.0), self.width)
                self.bounces += 1
            if p.pos.y < 0 or p.pos.y > self.height:
                p.vel.y = -0.9 * p.vel.y
                p.pos.y = min(max(p.pos.y, 0.0), self.height)
                self.bounces += 1

    def energy(self):
        return sum(p.kinetic() - p.mass * self.gravity.y * p.pos.y for p in self.particles)


def run(size):
    world = World(100.0, 100.0, Vec(0.0, -9.81))
    for i in range(100):
        velocity = Vec(math.sin(i) * 20, math.cos(i) * 20)
        world.particles.append(Particle(Vec(i % 10 * 10.0, i // 10 * 10.0), velocity, 1.0 + i % 3))
    energies = []
    for step in range(size):
        world.step(0.01)
        if step % 10 == 0:
            energies.append(world.energy())
    return world.bounces, round(sum(energies), 4)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
