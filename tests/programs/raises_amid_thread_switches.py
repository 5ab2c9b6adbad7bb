"""An operation whose Python method is left for the interpreter, since another thread wants to run, and raises there: the exception is its own."""
import sys
import threading

done = []


def spin():
    while not done:
        pass


class Shown:
    def __init__(self, number):
        self.number = number

    def __repr__(self):
        text = "shown"
        if self.number % 3 == 0:
            raise ValueError(self.number)
        return text

    def __format__(self, spec):
        text = f"formatted {spec}"
        if self.number % 3 == 0:
            raise ValueError(self.number)
        return text


def main():
    seen = {}
    for i in range(20000):
        try:
            if i % 3 == 0:
                f"{Shown(i)!r:>5}"
            else:
                f"{Shown(i // 2):>5}{Shown(i // 2)}"
            what = "nothing"
        except Exception as error:
            what = type(error).__name__ + str(error)[:2].strip("0123456789")
        seen[what] = seen.get(what, 0) + 1
    return seen


sys.setswitchinterval(1e-5)
thread = threading.Thread(target=spin)
thread.start()
i = 0
seen = {}
while i < 20000:
    i += 1
    try:
        match i % 3:
            case 0: f"{Shown(i)!r:>5}"
            case 1: f"{Shown(i // 2):>5}"
            case 2: f"{Shown(i // 2)}"
        what = "nothing"
    except Exception as error:
        what = type(error).__name__ + str(error)[:2].strip("0123456789")
    seen[what] = seen.get(what, 0) + 1
print(seen)
print(main())
done.append(1)
thread.join()
