# multiprocessing with the fork method: pool, process, queue, pipe, shared values, an exception that crosses over.
# kiln-test: timeout=240
import multiprocessing


def count_primes(limit):
    found = 0
    for n in range(2, limit):
        for d in range(2, int(n**0.5) + 1):
            if n % d == 0:
                break
        else:
            found += 1
    return found


def fails(n):
    total = 0
    for i in range(n):
        total += 1 // (n - 1 - i)
    return total


def child(connection, queue, value):
    total = 0
    for i in range(9000):
        total += i
        if i % 3000 == 0:
            queue.put(i)
    with value.get_lock():
        value.value += total
    connection.send({"total": total})
    connection.close()


context = multiprocessing.get_context("fork")
with context.Pool(2) as pool:
    print(pool.map(count_primes, [1000, 1500, 2000, 2500]))
    try:
        pool.apply(fails, (6000,))
    except ZeroDivisionError as error:
        print(type(error).__name__, error, "in fails" in str(error.__cause__))
receive, send = context.Pipe(False)
queue, value = context.Queue(), context.Value("q", 5)
process = context.Process(target=child, args=(send, queue, value))
process.start()
print(receive.recv(), [queue.get() for _ in range(3)])
process.join()
print(value.value, process.exitcode)
