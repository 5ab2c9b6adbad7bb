# multiprocessing with the spawn method, and a process pool of concurrent.futures: the children are kiln, too.
# kiln-test: timeout=240
import concurrent.futures
import multiprocessing
import os
import sys


def work(n):
    total = 0
    for i in range(n):
        total = (total * 7 + i) % 1000003
    return total, os.path.basename(sys.executable) == os.path.basename(os.readlink("/proc/self/exe"))


def kind_of_main(_):
    return __name__, sys.argv[1:], hasattr(sys.modules["__main__"], "work")


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        print(pool.map(work, [9000, 9001]), pool.map(kind_of_main, [0]))
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
        print(list(executor.map(work, [6000, 7000])))
    print(multiprocessing.spawn.get_executable().decode() == sys.executable)
