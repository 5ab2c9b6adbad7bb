"""attrs: records with converters, validators, evolution and comparison."""

import sys

import attrs

BENCH = {"size": 20_000, "small": 20}


@attrs.define(order=True)
class Point:
    x: int = attrs.field(converter=int)
    y: int = attrs.field(converter=int, validator=attrs.validators.instance_of(int))


@attrs.frozen
class Segment:
    start: Point
    end: Point
    tags: tuple[str, ...] = attrs.field(factory=tuple, converter=tuple)
    weight: float = attrs.field(default=1.0, validator=[attrs.validators.ge(0), attrs.validators.instance_of(float)])

    @property
    def length(self):
        return abs(self.start.x - self.end.x) + abs(self.start.y - self.end.y)


def run(size):
    segments = []
    for k in range(size):
        segment = Segment(Point(str(k), k * 7 % 101), Point(k % 53, k * 3.7), ["a", "b"][: k % 3], k / 2)
        segments.append(attrs.evolve(segment, weight=segment.weight + segment.length))
    heaviest = max(segments, key=lambda segment: (segment.weight, segment.start))
    ordered = sorted(segment.end for segment in segments)
    distinct = sum(a == b for a, b in zip(ordered, ordered[1:]))
    return attrs.asdict(heaviest), attrs.astuple(ordered[size // 2]), distinct


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
