# a local string that grows piece by piece
from _harness import drive


def work(n):
    text = ""
    for i in range(n):  # kiln-native allow-opaque=BINARY_OP
        text += "ab" if i & 1 else "c"
        if len(text) > 100:
            text = "c"
    return text


drive(work)
