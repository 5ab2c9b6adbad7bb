"""Slices with steps, and stores to slices of lists."""


class Told:
    def __init__(self, number):
        self.number = number

    def __del__(self):
        log.append(self.number)


class Index:
    def __index__(self):
        return 1


log = []


def fannkuch(n):
    count = list(range(1, n + 1))
    most, m, r = 0, n - 1, n
    first = list(range(n))
    while 1:
        while r != 1:
            count[r - 1] = r
            r -= 1
        if first[0] != 0 and first[m] != m:
            order = first[:]
            flips = 0
            k = order[0]
            while k:
                order[:k + 1] = order[k::-1]
                flips += 1
                k = order[0]
            most = max(most, flips)
        while r != n:
            first.insert(r, first.pop(0))
            count[r] -= 1
            if count[r] > 0:
                break
            r += 1
        else:
            return most


def rotate(indices):
    for place in range(len(indices)):
        indices[place:] = indices[place + 1:] + indices[place:place + 1]
    return indices


def stepped(rounds):
    items, pair, text, data = list(range(12)), (1, 2, 3, 4), "abcdefg", b"0123456"
    seen = set()
    for number in range(rounds):
        step = number % 5 - 2
        try:
            seen.add((tuple(items[::step]), pair[number % 4::step], text[5:number % 3:step], data[:-1:step]))
        except ValueError as error:
            seen.add(str(error))
    return len(seen), sorted(map(str, seen))[-1], text[::-1], items[Index()::4]


def stored(rounds):
    items = [0] * 6
    for number in range(rounds):
        items[1:3] = (number, number + 1)
        items[-1:] = [number]
        items[2:1] = [7]
        items[:] = items[:6]
        items[10:] = items[1:2]
        items[:1] = items
        del items[6:]
        items[1:2] = "x" if number % 50 == 49 else [number]
        items[Index():2] = (number,)
    return items


def ended(rounds):
    lengths = []
    for number in range(rounds):
        held = [Told(number), Told(-number), 1]
        held[:2] = [len(log)]
        lengths.append((len(log), held[0]))
        held[0:] = ()
    return lengths[-2:], len(log)


def wrong(rounds):
    texts = set()
    items = [1, 2, 3]
    for number in range(rounds):
        for value in (1, None, number):
            try:
                items[1:2] = value
            except TypeError as error:
                texts.add(str(error))
        try:
            items["a":] = [1]
        except TypeError as error:
            texts.add(str(error))
    return sorted(texts), items


for _ in range(3):
    print(fannkuch(6), [rotate(list(range(7))) for _ in range(60)][-1])
    print(stepped(300))
    print(stored(300))
    print(ended(200))
    log.clear()
    print(wrong(100))
