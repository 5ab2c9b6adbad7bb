# Threads run hot loops at the same time; a hot loop never starves the others; locks, events, thread-locals, queues.
import queue
import sys
import threading

local = threading.local()


def spin(n, out, index):
    total = 0
    for i in range(n):
        total = (total * 31 + i) & 0xFFFFFFFF
    out[index] = total


def same_loop_in_all(n):
    out = [None] * 6
    threads = [threading.Thread(target=spin, args=(n + i, out, i)) for i in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return out


def wait_for_flag():
    """The main thread spins until another thread, which needs the interpreter for that, changes a cell and a global."""
    global stop
    stop = False
    ready = [0]

    def setter():
        global stop
        for i in range(100):
            ready[0] += 1
        stop = True

    t = threading.Thread(target=setter)
    n = 0
    t.start()
    while not stop:
        n += 1
    while ready[0] < 100:
        n += 1
    t.join()
    return ready[0], n >= 0


def locked_counter(n):
    lock = threading.Lock()
    counter = 0

    def add():
        nonlocal counter
        for _ in range(n):
            with lock:
                counter += 1

    threads = [threading.Thread(target=add) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return counter


def thread_locals(n):
    results = []

    def work(k):
        local.value = 0
        for i in range(n):
            local.value += k
        results.append(local.value)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return sorted(results), hasattr(local, "value")


def pipeline(n):
    first, second = queue.Queue(10), queue.Queue(10)

    def stage():
        while (item := first.get()) is not None:
            second.put(item * item)
        second.put(None)

    t = threading.Thread(target=stage)
    t.start()

    def feed():
        for i in range(n):
            first.put(i)
        first.put(None)

    f = threading.Thread(target=feed)
    f.start()
    total = 0
    while (item := second.get()) is not None:
        total += item
    t.join()
    f.join()
    return total


def exception_in_thread(n):
    seen = []

    def hook(arguments):
        seen.append((arguments.exc_type.__name__, str(arguments.exc_value), arguments.exc_traceback.tb_next.tb_lineno))

    def fails():
        for i in range(n):
            1 // (n - 1 - i)

    threading.excepthook, original = hook, threading.excepthook
    t = threading.Thread(target=fails)
    t.start()
    t.join()
    threading.excepthook = original
    return seen


def frames_of_others():
    started, finish = threading.Event(), []

    def busy():
        i = 0
        started.set()
        while not finish:
            i += 1
        return i

    t = threading.Thread(target=busy)
    t.start()
    started.wait()
    for _ in range(200):
        frame = sys._current_frames()[t.ident]
        names = set()
        while frame:
            names.add(frame.f_code.co_name)
            frame.f_lineno
            frame = frame.f_back
    finish.append(1)
    t.join()
    return "busy" in names and "run" in names


print(same_loop_in_all(20000))
print(
    wait_for_flag(),
    locked_counter(5000),
    thread_locals(6000),
    pipeline(1000),
    exception_in_thread(6000),
    frames_of_others(),
)
sys.setswitchinterval(1e-5)
print(same_loop_in_all(9000), locked_counter(2000))
