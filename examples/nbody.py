"""Moves the Sun and the four giant planets under their own gravity, and prints how well the energy is kept.

Usage: nbody.py [STEPS]     of 0.01 years each (default 400000: forty centuries)
"""

import math
import sys

SOLAR_MASS = 4.0 * math.pi * math.pi  # in units in which G = 1, with years and astronomical units

# Name, semi-major axis (AU), eccentricity, inclination (degrees), longitude of the start (degrees), mass (Suns).
PLANETS = [
    ("Jupiter", 5.203, 0.0484, 1.303, 34.4, 9.5479e-4),
    ("Saturn", 9.537, 0.0539, 2.486, 49.9, 2.8588e-4),
    ("Uranus", 19.189, 0.0473, 0.773, 313.2, 4.3662e-5),
    ("Neptune", 30.070, 0.0086, 1.770, 304.9, 5.1514e-5),
]


class Body:
    """A point mass: position in AU, velocity in AU a year, mass in the units of `SOLAR_MASS`."""

    def __init__(self, name, position, velocity, mass):
        self.name = name
        self.x, self.y, self.z = position
        self.vx, self.vy, self.vz = velocity
        self.mass = mass


def start_at_perihelion(name, axis, eccentricity, inclination, longitude, mass):
    """Returns a planet at the point of its orbit that is nearest to the Sun, moving at right angles to the radius."""
    tilt = math.radians(inclination)
    angle = math.radians(longitude)
    radius = axis * (1.0 - eccentricity)
    speed = math.sqrt(SOLAR_MASS * (1.0 + eccentricity) / radius)
    position = (radius * math.cos(angle), radius * math.sin(angle) * math.cos(tilt),
                radius * math.sin(angle) * math.sin(tilt))
    velocity = (-speed * math.sin(angle), speed * math.cos(angle) * math.cos(tilt),
                speed * math.cos(angle) * math.sin(tilt))
    return Body(name, position, velocity, mass * SOLAR_MASS)


def solar_system():
    """Returns the bodies, with the Sun first; it moves so that the total momentum is zero."""
    planets = [start_at_perihelion(*planet) for planet in PLANETS]
    recoil = [-sum(p.mass * v for p, v in zip(planets, axis)) / SOLAR_MASS for axis in (
        [p.vx for p in planets], [p.vy for p in planets], [p.vz for p in planets])]
    return [Body("Sun", (0.0, 0.0, 0.0), recoil, SOLAR_MASS)] + planets


def advance(bodies, dt):
    """Moves all bodies by one step: new velocities from the forces, then new positions."""
    count = len(bodies)
    for i in range(count):
        a = bodies[i]
        for j in range(i + 1, count):
            b = bodies[j]
            dx = a.x - b.x
            dy = a.y - b.y
            dz = a.z - b.z
            square = dx * dx + dy * dy + dz * dz
            pull = dt / (square * math.sqrt(square))
            a.vx -= dx * b.mass * pull
            a.vy -= dy * b.mass * pull
            a.vz -= dz * b.mass * pull
            b.vx += dx * a.mass * pull
            b.vy += dy * a.mass * pull
            b.vz += dz * a.mass * pull
    for body in bodies:
        body.x += dt * body.vx
        body.y += dt * body.vy
        body.z += dt * body.vz


def energy(bodies):
    """Returns kinetic plus potential energy."""
    total = 0.0
    for i, a in enumerate(bodies):
        total += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
        for b in bodies[i + 1:]:
            total -= a.mass * b.mass / math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))
    return total


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    if steps < 0:
        sys.exit("nbody.py: STEPS must not be negative")
    bodies = solar_system()
    before = energy(bodies)
    for _ in range(steps):
        advance(bodies, 0.01)
    after = energy(bodies)
    print(f"{steps} steps, {steps * 0.01:g} years")
    for body in bodies:
        print(f"{body.name:8s} {body.x:12.6f} {body.y:12.6f} {body.z:12.6f}")
    print(f"energy {before:.9f} -> {after:.9f}")


if __name__ == "__main__":
    main()
