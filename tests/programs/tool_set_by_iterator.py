# A tool of sys.monitoring that comes while an iterator runs hears of the StopIteration that ends it, in the loop that it ends.
import sys
mon = sys.monitoring; E = mon.events
log = []
def on_stop(code, off, exc): log.append(("stop", code.co_name, off, repr(exc)))
def on_raise(code, off, exc): log.append(("raise", code.co_name, off, repr(exc)))
count = 0
def maybe():
    global count
    count += 1
    if count == 3000:
        mon.use_tool_id(3, "t")
        mon.register_callback(3, E.STOP_ITERATION, on_stop)
        mon.register_callback(3, E.RAISE, on_raise)
        mon.set_events(3, E.STOP_ITERATION | E.RAISE)
    if count == 3003:
        mon.set_events(3, 0); mon.free_tool_id(3)
class It:
    def __init__(s, n): s.n = n
    def __iter__(s): return s
    def __next__(s):
        if s.n == 0:
            maybe()
            raise StopIteration(7)
        s.n -= 1
        return s.n
def gen(n):
    for i in range(n): yield i
    maybe()
    return n
def a(k):
    t = 0
    for _ in range(k):
        for x in It(3): t += x
    return t
def b(k):
    t = 0
    for _ in range(k):
        for x in gen(3): t += x
    return t
def c(k):
    t = 0
    for _ in range(k):
        t += sum(It(2)) + len(list(gen(2)))
        x, y = gen(2)
        x, y = It(2)
        t += x + y
    return t
for f in a, b, c:
    count = 0
    log.clear()
    print(f(4000))
    for l in log: print(l)
