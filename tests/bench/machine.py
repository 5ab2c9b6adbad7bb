"""Names the machine that a measurement was made on."""

import os
import platform


def read_field(path: str, field: str) -> str:
    """Returns the value of the first "field: value" line of a file; empty if there is none."""
    try:
        with open(path) as lines:
            for line in lines:
                name, _, value = line.partition(":")
                if name.strip() == field:
                    return value.strip()
    except OSError:
        pass
    return ""


def describe_machine() -> dict[str, object]:
    """Returns processor, cores, memory, system and the load just now, as values that JSON can hold."""
    memory_kb = read_field("/proc/meminfo", "MemTotal").partition(" ")[0]
    return {
        "processor": read_field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(int(memory_kb or 0) / 2**20, 1),
        "system": f"{platform.system()} {platform.release()}",
        "load": round(os.getloadavg()[0], 2),
        "kiln_variables": {name: value for name, value in sorted(os.environ.items()) if name.startswith("KILN")},
    }


def machine_text(machine: dict[str, object]) -> str:
    """Returns the heading of a report: the machine, and a warning if it was busy."""
    text = (f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']},"
            f" load {machine['load']}")
    if machine["load"] > machine["cores"] / 4:
        text += "\nwarning: the machine was busy with something else at the start; the figures will scatter"
    variables = machine["kiln_variables"]
    if variables:
        text += "\nwith " + " ".join(f"{name}={value}" for name, value in variables.items())
    return text
