# text % arguments in hot loops: arguments of every kind, errors, and which object comes out.
ROUNDS = 1200


class Text(str):
    def __str__(self):
        return "special"

    def __mod__(self, other):
        return ("mod", other)


class Number(int):
    def __str__(self):
        return "number"

    __repr__ = __str__


class Shown:
    def __init__(self, log):
        self.log = log

    def __str__(self):
        self.log.append("s")
        return "shown"

    def __repr__(self):
        self.log.append("r")
        return "represented"


class Right:
    def __repr__(self):
        return "right"

    def __rmod__(self, other):
        return ("rmod", other)


def pairs(count):
    out = []
    for index in range(count):
        key = "k%d" % (index % 7)
        out.append("%s: %s" % (key, index))
        out.append("%s=%r;%d%%" % (key, key, -index))
        out[-1] = out[-1] + "[%s]" % key
    return out[-3:], sum(map(len, out))


def one(format, argument):
    """The same code for many formats and arguments."""
    return format % argument


def each(formats, arguments):
    answers = []
    for format in formats:
        for argument in arguments:
            for _ in range(60):
                try:
                    answer = one(format, argument)
                except (TypeError, ValueError, KeyError, OverflowError) as error:
                    answer = (type(error).__name__, str(error))
            answers.append((answer, type(answer).__name__))
    return answers


def same(texts):
    """Where one text is all there is, it is the very object."""
    one_text, two_texts, text_and_space = "%s", "%s%s", "%s "  # the compiler makes f-strings of constant formats
    found = []
    for text in texts:
        for _ in range(ROUNDS // 10):
            alone = one_text % text
            tupled = one_text % (text,)
            empty = two_texts % ("", text)
            before = two_texts % (text, "")
            behind = text_and_space % text
            literal = text % ()
        found.append((alone is text, tupled is text, empty is text, before is text, behind == text + " ", literal is text))
    return found


def told(count):
    log = []
    shown = Shown(log)
    for index in range(count):
        "%s and %s" % (shown, index)
        "%r" % (shown,)
    return len(log), log[:4]


def numbers(count):
    total = 0
    for index in range(count):
        total += len("%d/%d" % (index, index * index)) + len("%s" % (index * 0.5)) + len("%s %s" % (index % 2 == 0, None))
    return total


def in_place(count):
    text = "%s"
    for index in range(count):
        text = "%s"
        text %= index
    return text


log = []
formats = ["%s", "%r", "%d", "%s %s", "", "%", "%%", "100%", "%(a)s", "%5d", "%-3s|", "%c", "%x", "%.2f", "%s\u0394%s", "\U0001f600%d", "%i", "%a",
           "%s%", "plain"]
arguments = ["text", 1, -1, 2**63, 2**200, True, None, 2.5, float("nan"), b"bytes", (), ("a",), ("a", 1), (1, 2, 3), [1], {"a": 1},
             Text("t"), Number(4), (Number(4), Text("t")), Shown(log), (Shown(log), 1), Right(), ("\u0394", "\U0001f600"), int, ""]
print(pairs(3000))
for answer in each(formats, arguments):
    print(answer)
print(each([Text("%s")], ["a", 1]))
print(same(["text", "", "x", "\u0394\u0394", "a" * 300]))
print(told(ROUNDS), numbers(ROUNDS * 3), in_place(ROUNDS), len(log))
