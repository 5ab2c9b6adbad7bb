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


def say(message: str) -> None:
    """Tells what goes on."""
    print(f"kiln: {message} ...", file=sys.stderr)


def report(archive: str) -> None:
    """Prints what was made."""
    print(f"{archive}: {os.path.getsize(archive) / 1e6:.1f} MB")


def main() -> None:
    """Makes and tries what was asked for; ends with a message and status 1 when it can't be made."""
    root, build, version, dist, *kinds = sys.argv[1:]
    tree = os.path.join(dist, "tree")
    time = commitTime(root)
    os.makedirs(dist, exist_ok=True)
    if {"tarball", "wheel"} & set(kinds):
        shutil.rmtree(tree, ignore_errors=True)
        say("collecting")
        dist_tree.fill(root, build, tree)
    if "tarball" in kinds:
        say("packing the tarball")
        report(dist_tarball.make(dist, tree, version, time))
    if "wheel" in kinds:
        say("packing the wheel")
        forward = os.path.join(build, "bin", "kiln_forward")
        report(dist_wheel.make(root, dist, tree, forward, version, time))
    if "deb" in kinds:
        shutil.rmtree(tree, ignore_errors=True)
        say("collecting for Debian")
        dist_tree.fill(root, build, tree, bundled=False)
        say("packing the Debian package")
        report(dist_deb.make(root, dist, tree, version, time))
    shutil.rmtree(tree, ignore_errors=True)


if __name__ == "__main__":
    main()
