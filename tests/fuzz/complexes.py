"""Features: complex numbers, in locals, a global, an attribute and a list, while foreign code changes what these are."""

from __future__ import annotations

from feature import Feature, seen

COMPLEX = Feature(
    definitions="""
Z, ZS = 0.5 + 1j, [1j, 2 - 1j, -0.0 + 0j]


class Wave:
    z = 1 + 1j


def near(z):
    return z if abs(z.real) < 1e6 and abs(z.imag) < 1e6 else complex(z.imag != z.imag, 1)


WAVE = Wave()
""",
    effects=(
        "ZS[n % 3] = (1j, 2, 0.5, complex(n & 3, -1))[n & 3]",
        "WAVE.z = (1 + 1j, 3, -0.0)[n % 3]",
        "globals()['Z'] = complex(n & 7, 0.25) if n & 1 else n & 3",
    ),
    observers=tuple(
        seen(text)
        for text in (
            "{d} = complex({x}, {i} & 7); {x} = near({d} * {d} + 1j).real",
            "{d} = near(Z * complex({i} & 3, {x}) - 0.5); {x} = {d}.imag",
            "{d} = near(ZS[{n} % 3] * 1j); ZS[{n} % 3] = {d}",
            "{d} = {i} & 7; {d} = {d} * 1j; {d} = near({d} ** 2 - {x}); {x} = {d}.real",
            "{d} = near(WAVE.z / (1 + 2j)); WAVE.z = {d} + 1; {b} = {d} is WAVE.z",
            "{d} = complex({x}, 1); {b} = {d} == ZS[0] or not {d}; note('z', near({d}))",
            "{d} = Z; {b} = {d} is Z; {d} = -{d}; {i} = fit({i} + int(near({d} + 0j).real))",
            "{d} = near(complex({x}, -{x})); {x} = abs({d}) if {b} else {d}.imag",
            "for {d} in ZS: {x} = near({d} + {x} * 1j).imag",
        )
    ),
    globals=("Z",),
)

FEATURES = {"complex": COMPLEX}
