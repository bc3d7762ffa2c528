"""scenes/paper/fig15_spring_buckling.sweep.json as a whole: the paper's discretizations of the
spring, by the force on the plate and the middle node's way sideways at given compressions."""
import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
XSIM = os.environ.get("XSIM", ROOT / "build/xsim")


class Fig15(unittest.TestCase):
    def test_all_cases(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([XSIM, "--sweep", ROOT / "scenes/paper/fig15_spring_buckling.sweep.json",
                            "-o", "out", "--jobs", "2", "-q"], cwd=folder, check=True)
            with open(Path(folder) / "out/summary.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual([row["exit_status"] for row in rows], ["0"] * 5)
        x, sideways = {}, {}
        for row in rows:
            case = f"{row['rods.spring.discretization']}:{row['rods.spring.elements']}"

            def at(t, row=row):
                return [float(row[f"rods.spring.position.middle.{c}.at:{t}"]) for c in "xy"]
            # 238.5 N/m at 5 cm, softer before it buckles; the middle node stays in y = 0, the plane
            # that half a turn about the x axis leaves as it is.
            force = {t: -float(row[f"joints.force.plate.z.at:{t}"]) for t in (22, 130, 150)}
            self.assertAlmostEqual(force[22] / 11.925, 1, delta=0.003, msg=case)
            self.assertLess(force[22], force[130])
            self.assertLess(force[130], force[150])
            self.assertLess(force[150] / 0.37, force[130] / 0.32, case)
            self.assertLess(max(abs(at(t)[1]) for t in (2, 130, 150)), 1e-9, case)
            x[case] = -at(2)[0]
            sideways[case] = {t: at(t)[0] - at(2)[0] for t in (130, 150)}
        print(x, sideways)

        # Coarse ones of low order relax to wider coils.
        self.assertGreater(x["rigid_chain:120"], x["linear:120"])
        self.assertGreater(x["linear:120"], x["linear:250"])
        self.assertLess(abs(x["cubic:40"] - 0.1), 2e-4)

        # Beyond 0.32 m, where the paper sees it buckle, it goes sideways fast: 2 cm at 0.3719 m.
        # Quadratic elements agree with cubic ones best, then the finer linear ones.
        for case in x:
            self.assertGreater(sideways[case][150], 1.5 * sideways[case][130], case)
        self.assertTrue(0.017 < sideways["cubic:40"][150] < 0.02)
        error = {case: abs(far[150] - sideways["cubic:40"][150]) for case, far in sideways.items()}
        self.assertLess(error["quadratic:66"], error["linear:250"])
        self.assertLess(error["linear:250"], min(error["linear:120"], error["rigid_chain:120"]))


if __name__ == "__main__":
    unittest.main()
