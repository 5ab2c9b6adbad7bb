"""Names that UTF-8 cannot have: of functions, files, globals, attributes and modules."""

import types

ODD = "odd \udcff name"


class Thing:
    def __init__(self, value):
        setattr(self, ODD, value)
        self.plain = value


def total(things, count):
    result = 0
    for n in range(count):
        thing = things[n % len(things)]
        result += thing.plain + LIMIT
        thing.plain = n % 7
        if n % 5 == 0:
            try:
                result += thing.missing
            except AttributeError as error:
                result += len(str(error)) % 2
    return result


def renamed(function, names):
    """The function with other names in its code, and a name of its own that is odd, too."""
    code = function.__code__
    changed = code.replace(
        co_names=tuple(names.get(name, name) for name in code.co_names), co_name=ODD, co_qualname=f"{ODD}.{ODD}", co_filename=f"{ODD}.py"
    )
    return types.FunctionType(changed, globals(), ODD)


LIMIT = 3
globals()[ODD] = 5
things = [Thing(n) for n in range(6)]
for names in {}, {"plain": ODD}, {"LIMIT": ODD}, {"plain": ODD, "LIMIT": ODD, "missing": ODD + "?"}:
    function = renamed(total, names)
    print(sorted(names), [function(things, 4000) for _ in range(3)], function(things, 40))
    for thing in things:
        thing.plain = 1
