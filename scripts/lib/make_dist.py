"""Makes artefacts in DIST: make_dist.py ROOT BUILD VERSION DIST tarball|wheel|deb..., run by the CPython that kiln was built on."""
import os
import shutil
import subprocess
import sys

import dist_deb
import dist_tarball
import dist_tree
import dist_wheel


def commitTime(root: str) -> int:
    """The time that all files in artefacts have, in seconds: SOURCE_DATE_EPOCH, else the last commit's."""
    commit = subprocess.run(["git", "-C", root, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
    return int(os.environ.get("SOURCE_DATE_EPOCH") or commit.stdout.strip() or 0)


class Steps:
    """Tells on stderr which step of how many begins."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.begun = 0

    def say(self, message: str) -> None:
        """The next step begins."""
        self.begun += 1
        print(f"kiln: [{self.begun}/{self.count}] {message} ...", file=sys.stderr)


def report(archive: str) -> None:
    """Prints what was made."""
    print(f"{archive}: {os.path.getsize(archive) / 1e6:.1f} MB")


def main() -> None:
    """Makes and tries what was asked for; ends with a message and status 1 when it can't be made."""
    root, build, version, dist, *kinds = sys.argv[1:]
    tree = os.path.join(dist, "tree")
    time = commitTime(root)
    os.makedirs(dist, exist_ok=True)
    bundled = bool({"tarball", "wheel"} & set(kinds))
    steps = Steps(bundled + len({"tarball", "wheel"} & set(kinds)) + 2 * ("deb" in kinds))
    if bundled:
        shutil.rmtree(tree, ignore_errors=True)
        steps.say("collecting")
        dist_tree.fill(root, build, tree)
    if "tarball" in kinds:
        steps.say("packing the tarball")
        report(dist_tarball.make(dist, tree, version, time))
    if "wheel" in kinds:
        steps.say("packing the wheel")
        forward = os.path.join(build, "bin", "kiln_forward")
        report(dist_wheel.make(root, dist, tree, forward, version, time))
    if "deb" in kinds:
        shutil.rmtree(tree, ignore_errors=True)
        steps.say("collecting for Debian")
        dist_tree.fill(root, build, tree, bundled=False)
        steps.say("packing the Debian package")
        report(dist_deb.make(root, dist, tree, version, time))
    shutil.rmtree(tree, ignore_errors=True)


if __name__ == "__main__":
    main()
