"""The cache of compiled kernels, with stand-ins for NVIDIA's libraries as in driver_support.py."""

import os
import subprocess

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


if __name__ == "__main__":
    driver_support.main()
