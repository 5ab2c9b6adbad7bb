"""`kiln -m kiln doctor`: what kiln found on this machine, and what is off and why."""

import os
import platform
import sys

import _kiln

from kiln import cache, environment, installation, machine

LABEL_WIDTH = 14


def show(label: str, *lines: str) -> None:
    """Prints one finding; further lines are indented under the first."""
    for index, line in enumerate(lines):
        print(f"  {label if index == 0 else '':<{LABEL_WIDTH}} {line}")


def knob_values() -> dict[str, str]:
    """The value of each knob by its variable."""
    return {row[1]: row[6] for row in _kiln.config_rows()}


def llvm_line(version: str) -> str:
    """The version of LLVM, and whether the shared object with the compiler is where kiln opens it."""
    path = compiler_path()
    found = "opened at the first compilation" if os.path.exists(path) else "which is missing: nothing can be compiled"
    return f"{version} in {path}, {found}"


def compiler_path() -> str:
    """Where the shared object with the compiler belongs: lib beside the launcher's bin."""
    return os.path.join(installation.home(), "lib", "libkiln_llvm.so")


def python_build_lines() -> list[str]:
    """How the CPython inside was built, and what another one would do."""
    build = _kiln.python_build()
    profile = "with profile-guided optimisation" if build["profiled"] else "without profile-guided optimisation"
    lines = [f"built by {platform.python_compiler()} {profile}; linked statically"]
    if build["lto"]:
        lines.append("the link-time optimisation that it was built with is python's alone: kiln links the objects one by one")
    else:
        lines.append("its configuration names no link-time optimisation")
    if build["profiled"]:
        lines.append("a distribution's optimised python may still be a little faster where nothing is hot")
    else:
        lines.append("a distribution's optimised python may be faster where nothing is hot; a kiln built on one is, too:")
        lines.append(installation.other_python())
    return lines


def environment_line() -> str:
    """The virtual environment that this process belongs to, or why the active one is not used."""
    active = os.environ.get("VIRTUAL_ENV")
    if sys.prefix != sys.base_prefix:
        return sys.prefix
    if active:
        problem = environment.problem_of(active) or "kiln was started with another one"
        return f"none; VIRTUAL_ENV={active} is not used: {problem}"
    return "none"


def numba_line(values: dict[str, str]) -> str:
    """Which numba an `import numba` of the user's own code gets."""
    real = machine.installed_package("numba")
    off = next((f"{knob}=0" for knob in ("KILN", "KILN_NUMBA") if values[knob] == "0"), "")
    if values["KILN_NUMBA"] == "1" and not off:
        return "kiln's own, for every importer: KILN_NUMBA=1"
    if real:
        return real
    if off:
        return f"none: not installed, and kiln's own is off by {off}"
    return "kiln's own, for the programs that you run: none is installed"


def reasons_off(values: dict[str, str]) -> list[str]:
    """What is off, each with the reason."""
    if values["KILN"] == "0":
        return ["everything, by KILN=0: JIT, kernels, kiln's numba, report, names for perf and gdb"]
    failed = _kiln.jit_disabled_by()
    reasons = []
    if failed:
        reasons.append(
            f"JIT: the CPython inside failed the tests of {failed} when kiln was built; {installation.other_python()}"
        )
    if not os.path.exists(compiler_path()):
        reasons.append(f"JIT: {compiler_path()} is missing; {installation.repair()}")
    if values["KILN_JIT"] == "off":
        reasons.append("JIT: KILN_JIT=off")
    if values["KILN_OFFLOAD"] == "cpu":
        reasons.append("GPU: kernels run on the CPU; KILN_OFFLOAD=auto uses a GPU where there is one")
    if values["KILN_PERF"] == "0":
        reasons.append("names for perf and gdb: KILN_PERF=1 tells them what was compiled")
    if values["KILN_REPORT"] == "0":
        reasons.append("report: KILN_REPORT=1 prints one at exit")
    return reasons


def print_findings() -> int:
    """Prints everything; the exit status is 0 whatever was found."""
    versions = _kiln.versions()
    values = knob_values()
    print(f"kiln {versions['kiln']}")
    show("executable", sys.executable, *_resolved(sys.executable))
    show("Python", f"{versions['python']}, standard library in {sys._stdlib_dir}", *python_build_lines())
    show("LLVM", llvm_line(versions["llvm"]))
    show("environment", environment_line())
    show("numpy", machine.installed_package("numpy") or "not installed")
    show("numba", numba_line(values))
    print("Machine")
    show("CPU", machine.cpu_name(), machine.cpu_features())
    show("CUDA driver", *machine.cuda_driver())
    show("NVRTC", *machine.nvrtc())
    show("cache", cache.summary())
    print("JIT")
    off = values["KILN"] == "0"
    works = os.path.exists(compiler_path())
    show("state", "off by KILN=0" if off else "on" if _kiln.is_active() and works else "off")
    if values["KILN_PERF"] == "1" and not off:
        show("perf, gdb", "compiled code is named in /tmp/perf-PID.map and through gdb's JIT interface")
    print("Off")
    for reason in reasons_off(values):
        print(f"  {reason}")
    return 0


def _resolved(executable: str) -> list[str]:
    target = _kiln.executable()
    return [] if target == executable else [f"a link to {target}"]
