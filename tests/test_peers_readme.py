"""README's numbers beside other simulators are those of bench/results/peers.csv."""
import csv
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECTION = re.search(r"## Beside other simulators\n(.*?)\n## ", (ROOT / "README.md").read_text(
    encoding="utf-8"), re.DOTALL)[1]


class PeersInReadme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(ROOT / "bench/results/peers.csv", newline="", encoding="utf-8") as stream:
            cls.runs = list(csv.DictReader(stream))

    def test_table_has_the_numbers_of_the_runs(self):
        runs = {(r["scene"], f"{r['simulator']} {r['mode']}"): r for r in self.runs
                if float(r["step"]) == 1e-3}
        rows = re.findall(r"^\| (\w+) \| (.+?) \| ([\d.]+) \| (\S+) \| (\S+) \| (\S+) \|$", SECTION,
                          re.MULTILINE)
        self.assertEqual({row[0] for row in rows}, {r["scene"] for r in self.runs})
        for scene, mode, *numbers in rows:
            with self.subTest(scene=scene, mode=mode):
                run = runs[scene, mode]
                self.assertEqual(numbers, [f"{float(run['microseconds']):.2f}"] +
                                 [f"{float(run[c]):.1e}" for c in ("error", "gap", "energy")])

    def test_times_to_an_error_are_those_of_runs(self):
        seconds = {f"{float(r['seconds']):.3g}" for r in self.runs if r["seconds"]}
        told = re.findall(r"(\d\.\d+) s\b", SECTION)
        self.assertGreaterEqual(len(told), 8)
        for time in told + re.findall(r"(\d\.\d+) s \(ODE\)", SECTION):
            with self.subTest(time=time):
                self.assertIn(time, seconds)


if __name__ == "__main__":
    unittest.main()
