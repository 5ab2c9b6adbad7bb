"""The cache of compiled kernels, with stand-ins for NVIDIA's libraries as in driver_support.py."""

import os
import subprocess
import tempfile

import driver_support


class Cache(driver_support.Driver):
    ASK = driver_support.KERNEL + "increment[1, 32](np.ones(3))"

    def kernels(self) -> list[str]:
        """The files of compiled kernels in the cache."""
        return [os.path.join(self.cache, name) for name in os.listdir(self.cache) if name.endswith(".kernel")]

    def compiles(self) -> bool:
        """Whether the program compiles its kernel, or finds it in the cache."""
        self.calls()
        return self.output(self.ASK + "\nprint('libnvrtc' in open('/proc/self/maps').read())") == "True"

    def test_unsound_files(self) -> None:
        """What was cut off, overwritten or is another key's file is compiled anew, and replaced."""
        self.assertTrue(self.compiles())
        (path,) = self.kernels()
        with open(path, "rb") as file:
            sound = file.read()
        self.assertFalse(self.compiles())
        flipped = sound[:-1] + bytes([sound[-1] ^ 1])
        for unsound in (b"", sound[:20], sound[: len(sound) // 2], flipped, b"\xff" * len(sound)):
            with open(path, "wb") as file:
                file.write(unsound)
            self.assertTrue(self.compiles(), unsound[:40])
            with open(path, "rb") as file:
                self.assertEqual(file.read(), sound)
            self.assertFalse(self.compiles())

    def test_same_kernel_elsewhere(self) -> None:
        """A line above the kernel, and another place of the file, do not matter; they do where the code tells of its lines."""
        text = driver_support.KERNEL + "increment[1, 32](np.ones(3))\nprint('libnvrtc' in open('/proc/self/maps').read())\n"
        with tempfile.TemporaryDirectory() as folder:
            for options, again in ("", "False"), ("(lineinfo=True)", "True"):
                for name, above, expected in ("one.py", "", "True"), ("one.py", "\n# a line\n", again), ("two.py", "\n", again):
                    path = os.path.join(folder, name)
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(above + text.replace("@cuda.jit", "@cuda.jit" + options))
                    self.assertEqual(self.output(f"import runpy; runpy.run_path({path!r})"), expected, (options, name, above))

    def test_folder(self) -> None:
        """It is private; one that others can write is none, and kiln says so; --clear empties it."""
        self.assertTrue(self.compiles())
        self.assertEqual(os.stat(self.cache).st_mode & 0o777, 0o700)
        os.chmod(self.cache, 0o777)
        self.assertTrue(self.compiles())
        environment = {**os.environ, "KILN_CACHE_DIR": self.cache}
        show = [driver_support.KILN, "-m", "kiln", "cache"]
        result = subprocess.run(show, capture_output=True, text=True, env=environment, timeout=60)
        self.assertIn("can be written by other users", result.stdout + result.stderr)
        os.chmod(self.cache, 0o700)
        self.assertFalse(self.compiles())
        shown = subprocess.run(show, capture_output=True, text=True, env=environment, timeout=60).stdout
        self.assertIn("(1 kernels", shown)
        subprocess.run([*show, "--clear"], env=environment, timeout=60, check=True, capture_output=True)
        self.assertEqual(self.kernels(), [])
        self.assertTrue(self.compiles())

    def test_unusable_folder(self) -> None:
        """Kernels are compiled each time, silently, where they cannot be kept."""
        with open(self.cache, "w", encoding="utf-8"):
            pass
        for folder in (self.cache, os.path.join(self.cache, "below"), "/proc/none", "/dev/full"):
            self.assertEqual(self.output(self.ASK + "\nprint('done')", KILN_CACHE_DIR=folder), "done")

    def test_full_disk(self) -> None:
        """What could be written in part only is deleted; so is all that a limit of the process's forbids."""
        limited = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (60, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))\n"
        self.output(limited + self.ASK, FAKE_CUDA_LOG="/dev/null")
        self.assertEqual(os.listdir(self.cache), [])

    def test_killed(self) -> None:
        """A file that a killed process left half written is none, and is deleted when it is old; --clear deletes it at once."""
        self.assertTrue(self.compiles())
        (path,) = self.kernels()
        os.unlink(path)
        old, young = path + ".partAbCd12", path + ".partzzzzzz"
        for left in old, young:
            with open(left, "wb") as file:
                file.write(b"kilnkrn1")
        os.utime(old, (0, 0))
        self.assertTrue(self.compiles())
        self.assertEqual(self.kernels(), [path])
        self.assertEqual((os.path.exists(old), os.path.exists(young)), (False, True))
        clear = [driver_support.KILN, "-m", "kiln", "cache", "--clear"]
        subprocess.run(clear, env={**os.environ, "KILN_CACHE_DIR": self.cache}, timeout=60, check=True, capture_output=True)
        self.assertEqual(os.listdir(self.cache), [])

    def test_killed_in_mid_write(self) -> None:
        """Wherever a process is killed, the next one runs, and kernels are found after it."""
        program = driver_support.KERNEL + """
import threading
def work(number):
    for i in range(50):
        names = {"cuda": cuda}
        exec(f"def increment(x):\\n    x[{number}] += {i}", names)
        cuda.jit(names["increment"])[1, 1](np.ones(30))
for number in range(3):
    threading.Thread(target=work, args=(number,)).start()
"""
        for delay in (0.15, 0.2, 0.3, 0.4):
            running = self.start(program)
            try:
                running.wait(delay)
            except subprocess.TimeoutExpired:
                running.kill()
            running.wait()
            self.output(program)
        self.assertFalse("libnvrtc" in self.output(program + "\nfor thread in threading.enumerate()[1:]: thread.join()\n"
                                                   "print(open('/proc/self/maps').read())"))

    def test_together(self) -> None:
        """Processes that compile and keep the same kernels at the same time."""
        running = [self.start(self.ASK) for _ in range(6)]
        self.assertEqual([process.wait() for process in running], [0] * 6)
        self.assertEqual(len(self.kernels()), 1)
        self.assertFalse(self.compiles())


if __name__ == "__main__":
    driver_support.main()
