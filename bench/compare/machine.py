"""The machine and the versions that a table must name."""

import os
import platform
from pathlib import Path

from bench.compare.peers import FORMS


def processor() -> str:
    """Return the processor's model as the kernel names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def described() -> dict[str, str | int | float]:
    """Return what the numbers depend on; ``load`` is the one-minute load before the run."""
    from scrubjay import _kernels

    return {
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "instruction set": _kernels.ACTIVE_ISA,
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "load": round(os.getloadavg()[0], 1),
    }


def versions() -> dict[str, str]:
    """Return the version of every library in the comparison."""
    found = {}
    for maker in FORMS.values():
        contender = maker()
        found[contender.library] = contender.version()
    return found
