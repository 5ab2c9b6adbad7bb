"""Operations in hot loops that raise: each is done once, and handler, line and message are those of the operation."""

effects = []


class Hashed:
    def __init__(self, fails):
        self.fails = fails

    def __hash__(self):
        effects.append("hash")
        if self.fails:
            raise AttributeError("no hash")
        return 1


class Formatted:
    def __format__(self, spec):
        effects.append(spec)
        if len(effects) % 7 == 3:
            raise ValueError("no format " + spec)
        return "f" + spec

    def __repr__(self):
        effects.append("repr")
        if len(effects) % 5 == 3:
            raise AttributeError("no repr")
        return "r"


class Chain:
    def __init__(self, step):
        self.step = step

    def plus(self, amount=0, *, fail=False):
        effects.append(amount)
        if fail:
            raise KeyError(amount)
        return self

    def get(self, default=None, key=None):
        effects.append(key)
        return {1: 2}[key]

    def __enter__(self):
        effects.append("enter")
        if self.step % 3 == 0:
            raise AttributeError("no enter")
        return self

    def __exit__(self, *info):
        effects.append("exit")
        return info[0] is KeyError


def failing(first, second=None, *, third=None):
    effects.append((first, second, third))
    if first % 2:
        raise TypeError("odd")
    return first


def keywords(i, chain):
    return failing(i, second=2) + failing(first=i + 1, third="x")


def many_lines(i, chain):
    return (
        chain
        .plus(amount=i)
        .plus(
            amount=1,
            fail=i % 2 == 0,
        )
        .get(
            default=3,
            key=1)
    )


def of_builtins(i, chain):
    effects.append(sorted([i, 2], reverse=True)[0])
    return sorted(
        [i, "x"],
        key=len,
    )


def sets(i, chain):
    effects.append(len({i: 1, Hashed(False): 2, 3: Hashed(True)}))
    return {1, Hashed(i % 3 == 0), Hashed(i % 2 == 0), i}


def dicts(i, chain):
    return {1: 2, Hashed(False): 5, Hashed(i % 2 == 0): 3, Hashed(i % 3 == 0): 4}


def texts(i, chain):
    item = Formatted()
    return f"{item:>{i % 4}}{i:{i % 3}d}{item!r:>5}{item}{item!s}"


def text_specs(i, chain):
    return f"{i:{'d' if i % 2 else 'q'}}"


def contexts(i, chain):
    with Chain(i) as chain, Chain(i + 1):
        effects.append("body")
        return chain.get(key=i % 2)


def slices(i, chain):
    values = [1, 2, 3]
    values[i % 2 :: 2] = [i] * (i % 3)
    del values[i % 3 : None if i % 2 else "x"]
    return values[1 : "q" if i % 5 == 0 else 2]


def deletes(i, chain):
    del chain.step
    chain.step = 1
    del chain.missing


def unpacked(i, chain):
    return failing(*[i], **{"third" if i % 3 else "fourth": i})


def imports(i, chain):
    from math import nothing

    return nothing


def matches(i, chain):
    match {"a": i, "b": chain}:
        case {"a": int(x), "b": Chain(step=y)} if y / (x % 3):
            return failing(x, third=y)
    return failing(i + 1)


class Index:
    def __index__(self):
        effects.append("index")
        if len(effects) % 3 == 0:
            raise AttributeError("no index")
        return 1


def stored_slices(i, chain):
    values = [1, 2, 3]
    values[Index():] = [i]
    values[0 : Index()] = chain


class Above:
    @property
    def failing(self):
        effects.append("property")
        raise AttributeError("no property")


class Below(Above):
    def up(self, i):
        if i % 3 == 0:
            return super().failing
        return super().missing


def supers(i, chain):
    return Below().up(i)


def scenes():
    return [
        keywords, many_lines, of_builtins, sets, dicts, texts, text_specs, contexts, slices, deletes, unpacked,
        imports, matches, stored_slices, supers,
    ]


def describe(error):
    place, lines = error.__traceback__, []
    while place is not None:
        code = place.tb_frame.f_code
        position = list(code.co_positions())[place.tb_lasti // 2]
        lines.append((code.co_name, place.tb_lineno, *position))
        place = place.tb_next
    return type(error).__name__, str(error), lines


def called(scene):
    chain, seen = Chain(5), {}
    for i in range(400):
        try:
            scene(i, chain)
            seen["none"] = seen.get("none", 0) + 1
        except Exception as error:
            key = repr(describe(error)) + repr(type(error.__context__))
            seen[key] = seen.get(key, 0) + 1
    return seen


for scene in scenes():
    effects.clear()
    print(scene.__name__)
    for line, count in called(scene).items():
        print("  ", count, line)
    print("  ", len(effects), effects[-20:])


# The same operations in a loop's own frame.
effects.clear()
seen = {}
chain = Chain(5)
i = 0
while i < 900:
    i += 1
    try:
        match i % 9:
            case 0:
                failing(i, second=2)
            case 1:
                failing(first=i, third=3)
            case 2:
                {1, Hashed(i % 2 == 0), Hashed(True), i}
            case 3:
                {1: 2, Hashed(False): 5, Hashed(i % 2 == 0): 3, Hashed(i % 3 == 0): 4}
            case 4:
                f"{Formatted():>{i % 4}}{i:{i % 3}d}"
            case 5:
                f"{Formatted()!r:>5}{i:{'d' if i % 2 else 'q'}}"
            case 6:
                chain.plus(amount=i).plus(
                    amount=1, fail=True
                )
            case 7:
                (chain
                 .plus(amount=i)
                 .get(default=i, key=i % 2))
            case 8:
                [1, 2, 3][i % 2 : "q"]
    except Exception as error:
        key = repr(describe(error))
        seen[key] = seen.get(key, 0) + 1
for line, count in seen.items():
    print("  ", count, line)
print("  ", len(effects), effects[-20:])


def own_frame(operation):
    seen, chain = {}, Chain(5)
    for i in range(300):
        try:
            if operation == 0:
                failing(i, second=2)
            elif operation == 1:
                failing(
                    first=i + 1,
                    third=3)
            elif operation == 2:
                {1, Hashed(False), Hashed(i % 3 == 0), i}
            elif operation == 3:
                {1: 2, Hashed(False): 5, Hashed(i % 2 == 0): 3, 7: 4}
            elif operation == 4:
                f"{Formatted():>{i % 4}}"
            elif operation == 5:
                f"{i:{'d' if i % 2 else 'q'}}"
            elif operation == 6:
                f"{Formatted()!r:>7}"
            elif operation == 7:
                (chain
                 .plus(amount=i)
                 .get(default=i, key=i % 2))
            elif operation == 8:
                sorted([i, "x"],
                       reverse=True)
            elif operation == 9:
                chain.plus(
                    amount=i,
                    fail=True)
        except Exception as error:
            key = repr(describe(error))
            seen[key] = seen.get(key, 0) + 1
    return seen


class Own(Below):
    def loop(self):
        seen = {}
        for i in range(300):
            try:
                if i % 2:
                    super().failing
                else:
                    super().missing
            except Exception as error:
                key = repr(describe(error))
                seen[key] = seen.get(key, 0) + 1
        return seen


def slices_in_own_frame():
    seen, values = {}, [1, 2, 3]
    for i in range(300):
        try:
            values[Index() :] = [i]
            {key: 1 for key in (i, Hashed(i % 2 == 0))}
        except Exception as error:
            key = repr(describe(error))
            seen[key] = seen.get(key, 0) + 1
    return seen


for loop in (Own().loop, slices_in_own_frame):
    effects.clear()
    for line, count in loop().items():
        print(loop.__name__, count, line)
    print("  ", len(effects), effects[-20:])

for operation in range(10):
    effects.clear()
    for line, count in own_frame(operation).items():
        print(operation, count, line)
    print("  ", len(effects), effects[-20:])
