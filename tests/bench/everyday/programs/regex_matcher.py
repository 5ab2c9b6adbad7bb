"""A regular expression matcher: Pike's, and a backtracking one."""

import sys

BENCH = {"size": 2400, "small": 20}


def match_here(pattern, text, p, t):
    if p == len(pattern):
        return True
    if p + 1 < len(pattern) and pattern[p + 1] == "*":
        return match_star(pattern[p], pattern, text, p + 2, t)
    if pattern[p] == "$" and p + 1 == len(pattern):
        return t == len(text)
    if t < len(text) and (pattern[p] == "." or pattern[p] == text[t]):
        return match_here(pattern, text, p + 1, t + 1)
    return False


def match_star(c, pattern, text, p, t):
    while True:
        if match_here(pattern, text, p, t):
            return True
        if t == len(text) or (text[t] != c and c != "."):
            return False
        t += 1


def search(pattern, text):
    if pattern.startswith("^"):
        return match_here(pattern, text, 1, 0)
    for t in range(len(text) + 1):
        if match_here(pattern, text, 0, t):
            return True
    return False


class State:
    def __init__(self, char=None):
        self.char = char
        self.next = []
        self.accepting = False


def compile_nfa(pattern):
    start = State()
    current = start
    i = 0
    while i < len(pattern):
        c = pattern[i]
        if i + 1 < len(pattern) and pattern[i + 1] == "*":
            loop = State(c)
            after = State()
            current.next += [loop, after]
            loop.next += [loop, after]
            current = after
            i += 2
        else:
            state = State(c)
            current.next.append(state)
            current = state
            i += 1
    current.accepting = True
    return start


def closure(states):
    seen = set()
    stack = list(states)
    while stack:
        state = stack.pop()
        if id(state) in seen:
            continue
        seen.add(id(state))
        yield state
        for following in state.next:
            if following.char is None:
                stack.append(following)


def nfa_match(start, text):
    current = list(closure([start]))
    for c in text:
        moved = []
        for state in current:
            for following in state.next:
                if following.char is not None and following.char in (".", c):
                    moved.append(following)
        current = list(closure(moved))
        if not current:
            return False
    return any(s.accepting for s in current)


def run(size):
    words = ["".join("abcd"[(i * k + k) % 4] for k in range(12)) for i in range(1, size)]
    count = 0
    for pattern in ("a*b.c", "^ab*", "d.*a.*d", "c*d*$", "a.b*c$", ".*.*dd"):
        count += sum(search(pattern, w) for w in words)
    matched = 0
    for pattern in ("a*b*c*d*.*", ".*ab.*", "a.*d.*b"):
        nfa = compile_nfa(pattern)
        matched += sum(1 for w in words if nfa_match(nfa, w))
    return count, matched


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
