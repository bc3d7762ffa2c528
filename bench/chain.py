#!/usr/bin/python3
"""Time of a step per link of a hanging chain (scripts/make_chain.py) of 10 to 10 000 links.

Joints are solved together, corrected, three iterations a step. The time of a step is /timing/step
of a run that records ten times only; each length is run several times, in turn, for the steps
that take a chain of 10 000 links about a second. Last comes the exponent of the time of a step as a
power of the number of links, by a straight line through the logarithms of the minima; a target
of 1.05 says that the solve is linear but for memory that is further away.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "shared"), str(HERE.parent / "scripts")]
from make_chain import chain  # noqa: E402 (needs the path above)
from table import XSIM, Table, begin  # noqa: E402

LINKS = (10, 30, 100, 300, 1000, 3000, 10000)
RUNS = 3
LINK_STEPS = 1000000  # of a run
EXPONENT = 1.05


def time_per_link(links, folder):
    """Microseconds of a step per link, of the fastest tenth of a run and of its median one."""
    steps = max(20, LINK_STEPS // links // 10 * 10)
    scene, output = Path(folder) / f"{links}.json", Path(folder) / "out.h5"
    scene.write_text(json.dumps(chain(links, duration=steps * 1e-3)), encoding="utf-8")
    subprocess.run([XSIM, scene, "-o", output, "--quiet", "--force", "--set",
                    f"output.every={steps // 10}"], check=True)
    with h5py.File(output, "r") as result:
        return 1e6 * result["timing/step"][1:] / links


def main():
    begin(__doc__)
    times = {links: [] for links in LINKS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(RUNS):
            for links in LINKS:
                times[links].extend(time_per_link(links, folder).tolist())

    table = Table("chain", "us")
    for links in LINKS:
        table.add(f"step per link of {links}", times[links])

    lowest = [min(times[links]) * links for links in LINKS]
    exponent = np.polyfit(np.log(LINKS), np.log(lowest), 1)[0]
    Table("chain", "1").add("exponent of the time of a step", [exponent], EXPONENT)


if __name__ == "__main__":
    main()
