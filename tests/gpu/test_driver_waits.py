"""Waits for the GPU, with stand-ins for NVIDIA's libraries as in driver_support.py."""

import signal

import driver_support

HEAD = driver_support.KERNEL + """
import signal, threading, time
@cuda.jit
def endless(x):
    while x[0] == 0:
        x[0] -= 1
@cuda.jit
def slow_increment(x):
    x[cuda.grid(1)] += 1
def strike():
    def run():
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=run, daemon=True).start()
"""


class Waits(driver_support.Driver):
    """The driver's own waits cannot be interrupted: none is entered while work is under way, also not when a program ends."""

    def interrupted(self, work: str, **environment: str) -> list[str]:
        program = HEAD + f"""
x = cuda.to_device(np.zeros(20000))
y = cuda.to_device(np.zeros(4))
pinned = cuda.pinned_array(20000) if os.environ.get("FAKE_CUDA_PIN") != "0" else None
event = cuda.event()
stream = cuda.stream()
big, small = np.zeros(20000), np.zeros(4)
increment[1, 32](x)
endless[1, 32](x)
event.record()
strike()
try:
    {work}
except KeyboardInterrupt:
    print("interrupted")
"""
        self.assertEqual(self.output(program, **environment), "interrupted", work)
        calls = self.calls()
        self.assertEqual([call for call in calls if call.startswith("stuck")], [], work)
        return calls

    def test_waits(self) -> None:
        for work in ("cuda.synchronize()", "stream.synchronize()", "event.synchronize()", "event.wait(stream); stream.synchronize()", "x.copy_to_host()",
                     "y.copy_to_host()", "x.copy_to_host(pinned)", "x.copy_to_host(pinned, stream); stream.synchronize()", "increment[1, 32](big)",
                     "increment[1, 32](small)", "increment[1, 32](pinned)", "x[0]", "print(x.__array__())"):
            self.interrupted(work)
            if "pinned" not in work:
                self.interrupted(work, FAKE_CUDA_PIN="0")

    def test_what_is_freed(self) -> None:
        """Nothing that waits for work is freed while there is some."""
        work = """
    try:
        cuda.synchronize()
    finally:
        with cuda.pinned(big):
            pass
        managed = cuda.managed_array(5)
        del pinned, managed, endless, increment"""
        calls = self.interrupted(work)
        self.assertEqual([call for call in calls if call.startswith(("unpin", "unload"))], [])

    def test_report(self) -> None:
        """The table at the end does not wait for a kernel that was given up."""
        result = self.run_kiln(HEAD + """
strike()
try:
    endless[1, 32](np.zeros(3))
except KeyboardInterrupt:
    pass
""", KILN_REPORT="1")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r" endless\n")

    def test_uncaught(self) -> None:
        result = self.run_kiln(HEAD + "strike()\nendless[1, 32](np.zeros(3))")
        self.assertEqual(result.returncode, -signal.SIGINT)
        self.assertTrue(result.stderr.endswith("\nKeyboardInterrupt\n"), result.stderr)

    def test_exit(self) -> None:
        """A program that ends without waiting ends."""
        self.assertEqual(self.output(HEAD + "endless[1, 32](cuda.to_device(np.zeros(3)))\nprint('ended')"), "ended")

    def test_handlers(self) -> None:
        """Handlers run while the host waits, and may use the GPU; what they interrupt goes on."""
        program = HEAD + """
calls = []
def handler(number, frame):
    calls.append(number)
    x = np.zeros(20000)
    increment[200, 128](x)
    assert (x == 1).all()
    big = cuda.to_device(x)
    assert (big.copy_to_host() == 1).all()
signal.signal(signal.SIGALRM, handler)
x = np.zeros(2000000)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
for i in range(100):
    slow_increment[20000, 100](x)
signal.setitimer(signal.ITIMER_REAL, 0)
print((x == 100).all(), len(calls) > 3)
"""
        self.assertEqual(self.output(program), "True True")


if __name__ == "__main__":
    driver_support.main()
