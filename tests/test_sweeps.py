"""Sweeps from outside: which cases there are, the summary, what is done again and what is not, cases
that fail or crash, interrupts."""
import csv
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py

import test_cli
from test_cli import SHORT, SLOWED, XSIM, chain

# Diverges where the torque is large (test_cli.SPIN_UP).
SPIN = {**test_cli.SPIN_UP, "time": {"step": 0.01, "duration": 1}}


class Sweep(test_cli.Cli):
    def sweep(self, parameters, metrics=("energy.total.final",), scene=SHORT, **keys):
        """Writes scene.json and s.sweep.json."""
        self.scene(scene)
        self.scene({"scene": "scene.json", "parameters": parameters, "metrics": list(metrics),
                    **keys}, "s.sweep.json")

    def run_sweep(self, *arguments, status=0, **options):
        return self.xsim("--sweep", "s.sweep.json", "-o", "out", *arguments, status=status,
                         **options)

    def rows(self, folder="out"):
        with (self.folder / folder / "summary.csv").open(newline="") as file:
            return list(csv.reader(file))

    def column(self, name, folder="out"):
        rows = self.rows(folder)
        return [row[rows[0].index(name)] for row in rows[1:]]

    def times(self):
        """When each result was written last."""
        return {path.name: path.stat().st_mtime_ns for path in (self.folder / "out").glob("*.h5")
                if path.name.startswith("case")}

    def metric(self, file, name):
        with h5py.File(self.folder / file) as result:
            return result[name][-1]


class Cases(Sweep):
    def test_a_grid_runs_all_combinations_the_last_parameter_fastest(self):
        self.sweep({"time.step": [1e-3, 2e-3], "solver.solve": ["block", "global", "individual"]})
        self.run_sweep()
        self.assertEqual(self.rows()[0], ["case", "time.step", "solver.solve", "exit_status",
                                          "energy.total.final"])
        self.assertEqual([row[:4] for row in self.rows()[1:]],
                         [[str(3 * i + k), step, solve, "0"]
                          for i, step in enumerate(("0.001", "0.002"))
                          for k, solve in enumerate(("block", "global", "individual"))])
        for case, energy in enumerate(self.column("energy.total.final")):
            self.assertEqual(float(energy),
                             self.metric(f"out/case-{case:04d}.h5", "energy/total"))

    def test_zip_goes_side_by_side_and_several_paths_change_together(self):
        self.sweep({"time.step": [1e-3, 2e-3], "name": ["a", "b"]}, mode="zip")
        self.run_sweep()
        self.assertEqual([row[:3] for row in self.rows()[1:]],
                         [["0", "0.001", "a"], ["1", "0.002", "b"]])
        self.sweep({"time.step, output.every": [[1e-3, 2], [2e-3, 1]], "name": ["a", "b"]})
        self.run_sweep()
        self.assertEqual([row[1:4] for row in self.rows()[1:]],
                         [["0.001", "2", "a"], ["0.001", "2", "b"], ["0.002", "1", "a"],
                          ["0.002", "1", "b"]])
        with h5py.File(self.folder / "out/case-0001.h5") as file:
            self.assertEqual(file["step"][1], 2)

    def test_a_case_is_the_run_with_its_values_set_and_jobs_change_nothing(self):
        self.sweep({"bodies.link.mass": [1, 2.5], "joints.0.at.axis": [[0, 1, 0], [0, 1, 0.5]]})
        self.run_sweep()
        self.xsim("--sweep", "s.sweep.json", "-o", "two", "--jobs", "3")
        self.xsim("scene.json", "-o", "alone.h5", "-s", "bodies.link.mass=2.5", "-s",
                  "joints.0.at.axis=[0,1,0.5]")
        self.assert_same_bits("alone.h5", "out/case-0003.h5")
        self.assertEqual(self.rows("out"), self.rows("two"))
        for case in range(4):
            self.assert_same_bits(f"out/case-{case:04d}.h5", f"two/case-{case:04d}.h5")

    def test_set_comes_after_the_values_of_the_sweep(self):
        self.sweep({"time.step": [1e-3, 2e-3]})
        self.run_sweep("-s", "time.step=5e-4", "-s", "time.duration=0.01")
        for case in range(2):
            self.assertEqual(self.metric(f"out/case-{case:04d}.h5", "step"), 20)

    def test_the_scene_is_found_beside_the_sweep_file(self):
        (self.folder / "below").mkdir()
        self.scene(SHORT, "below/scene.json")
        self.scene({"scene": "scene.json", "parameters": {"name": ["a"]}}, "below/s.sweep.json")
        self.xsim("--sweep", "below/s.sweep.json")
        self.assertEqual(self.files(), ["below", "s"])

    def test_check_looks_at_every_case_and_writes_nothing(self):
        self.sweep({"time.step": [1e-3, 2e-3], "bodies.link.mass": [1, 2]})
        text = self.run_sweep("--check").stdout
        self.assertEqual(text.count("\n"), 4)
        self.assertIn("case 3 (time.step=0.002 bodies.link.mass=2): 50 steps, 1 bodies", text)
        self.assertEqual(self.files(), ["s.sweep.json", "scene.json"])

        self.sweep({"time.step": [1e-3, -1], "bodies.link.mas": [1]}, ["energy.totl.max"])
        text = self.run_sweep("--check", status=3).stderr
        for part in ("bodies[0].mas", "did you mean", "so case 0 (time.step=0.001",
                     "so case 1 (time.step=-1", "must be > 0, found -1"):
            self.assertIn(part, text)
        self.sweep({"time.step": [1e-3]}, ["energy.totl.max"])
        text = self.run_sweep("--check", status=3).stderr
        self.assertIn("s.sweep.json: metrics[0]: metric \"energy.totl.max\": ", text)

    def test_help_and_schema(self):
        self.assertIn("parameters", self.xsim("--help", "sweep").stdout)
        self.assertIn("parameters", json.loads(self.xsim("--schema", "sweep").stdout)["properties"])
        self.assertIn("no such schema", self.xsim("--schema", "swep", status=2).stderr)


class Summary(Sweep):
    def test_hdf5_holds_the_same_table(self):
        self.sweep({"time.step": [1e-3, 2e-3], "solver.solve": ["block", "global"],
                    "checks": [[]]}, ["energy.total.final", "residual.constraint.max"])
        self.run_sweep()
        with h5py.File(self.folder / "out/summary.h5") as file:
            self.assertEqual(file["case"][:].tolist(), [0, 1, 2, 3])
            self.assertEqual(file["exit_status"][:].tolist(), [0, 0, 0, 0])
            self.assertEqual(file["parameters/time.step"][:].tolist(), [1e-3, 1e-3, 2e-3, 2e-3])
            self.assertEqual(file["parameters/solver.solve"][:].tolist(),
                             [b"block", b"global", b"block", b"global"])
            self.assertEqual(file["parameters/checks"][0], b"[]")
            for metric in ("energy.total.final", "residual.constraint.max"):
                self.assertEqual(file[f"metrics/{metric}"][:].tolist(),
                                 list(map(float, self.column(metric))))

    def test_texts_with_commas_quotes_and_line_ends(self):
        texts = ["a,b", 'say "x"', "two\nlines", "é"]
        self.sweep({"description": texts})
        self.run_sweep()
        self.assertEqual(self.column("description"), texts[:2] + ["two\nlines", "é"])

    def test_cells_of_what_failed_early_are_empty(self):
        # Diverged: its records up to there; a wrong scene: nothing; no record at 0.9 s: nothing.
        self.sweep({"loads.0.torque": [[0, 0, 1], [0, 0, 1000], [0, 0, "x"]]},
                   ["energy.kinetic.max", "energy.kinetic.at:0.9"], SPIN)
        done = self.run_sweep(status=3)
        self.assertEqual(self.column("exit_status"), ["0", "5", "3"])
        self.assertEqual([value != "" for value in self.column("energy.kinetic.max")],
                         [True, True, False])
        self.assertEqual([value != "" for value in self.column("energy.kinetic.at:0.9")],
                         [True, False, False])
        self.assertIn("no value for the summary", (self.folder / "out/case-0001.log").read_text())
        self.assertIn("1 done, 1 wrong scene (3), 1 diverged (5)", done.stdout)
        for part in ("case 1 (loads.0.torque=[0, 0, 1000]), exit status 5:", "out/case-0001.log",
                     "exit status 3: expected"):
            self.assertIn(part, done.stderr)


    def test_metrics_without_a_value_are_told(self):
        """The energy of this pendulum is 0 at the start: no drift is relative to that."""
        self.sweep({"time.step": [1e-3, 2e-3]}, ["energy.total.relative_drift"])
        said = self.run_sweep().stderr
        self.assertIn('s.sweep.json: warning: metric "energy.total.relative_drift" has no value in '
                      "2 of the 2 cases that ran to their end; the first is case 0", said)
        self.assertIn("divides by the value at the start",
                      (self.folder / "out/case-0000.log").read_text())
        self.assertEqual(self.column("energy.total.relative_drift"), ["", ""])


class Again(Sweep):
    def test_finished_cases_are_left_alone_unless_something_changed(self):
        self.sweep({"time.step": [1e-3, 2e-3]})
        self.run_sweep()
        before, table = self.times(), self.rows()
        self.assertIn("2 were finished before", self.run_sweep().stdout)
        self.assertEqual((self.times(), self.rows()), (before, table))

        # Another metric is evaluated on the results that are there.
        self.sweep({"time.step": [1e-3, 2e-3]}, ["energy.total.min"])
        self.run_sweep()
        self.assertEqual(self.times(), before)
        self.assertNotIn("", self.column("energy.total.min"))

        # Another value: that case only. Another scene, even by a blank, and --set: all.
        self.sweep({"time.step": [1e-3, 4e-3]})
        self.assertIn("1 were finished before", self.run_sweep().stdout)
        self.assertEqual(self.times()["case-0000.h5"], before["case-0000.h5"])
        before = self.times()
        (self.folder / "scene.json").write_text(json.dumps(SHORT) + " ")
        self.assertNotIn("finished", self.run_sweep().stdout)
        self.assertIn("2 were finished before", self.run_sweep().stdout)
        self.assertNotIn("finished", self.run_sweep("-s", "name=x").stdout)
        self.assertNotIn("finished", self.run_sweep("-s", "name=x", "--force").stdout)

    def test_another_program_runs_all_again(self):
        self.sweep({"time.step": [1e-3, 2e-3]})
        self.run_sweep()
        with h5py.File(self.folder / "out/case-0001.h5", "r+") as file:
            commit = file["provenance/git_commit"]
            commit[()] = b"0" * commit.dtype.itemsize
        self.assertIn("1 were finished before", self.run_sweep().stdout)

    def test_statuses_of_finished_cases_are_kept(self):
        checks = [{"metric": "energy.total.max", "below": -1e9}]
        self.sweep({"loads.0.torque": [[0, 0, 1], [0, 0, 1000]], "checks": [[], checks]},
                   scene=SPIN)
        for said in ("2 diverged (5), 1 a check failed (7)\n",
                     "2 diverged (5), 1 a check failed (7); 4 were finished before\n"):
            self.assertIn(said, self.run_sweep(status=5).stdout)
            self.assertEqual(self.column("exit_status"), ["0", "7", "5", "5"])

    def test_rows_of_other_values_are_not_taken_for_those_of_a_case(self):
        self.sweep({"time.step": [1e-3, 2e-3]})
        self.run_sweep()
        self.sweep({"time.step": [1e-3, 4e-3]})
        self.run_sweep("--collect", status=6)
        self.assertEqual(self.column("exit_status"), ["0", ""])
        with h5py.File(self.folder / "out/summary.h5") as file:
            self.assertEqual(file["exit_status"][:].tolist(), [0, -1])


class OneByOne(Sweep):
    def test_tasks_and_collect_give_the_same_summary(self):
        self.sweep({"time.step": [1e-3, 2e-3, -1]})
        self.run_sweep("--jobs", "2", status=3)
        for case, status in ((2, 3), (0, 0), (1, 0)):
            done = self.xsim("--sweep", "s.sweep.json", "-o", "parts", "--task", case,
                             status=status)
            self.assertEqual("residual" in done.stdout, status == 0)
        self.xsim("--sweep", "s.sweep.json", "-o", "parts", "--collect", status=3)
        self.assertEqual(self.rows("out"), self.rows("parts"))
        self.assertIn("is finished: nothing to do",
                      self.xsim("--sweep", "s.sweep.json", "-o", "parts", "--task", 1).stdout)
        self.assertIn("cases 0 to 2", self.run_sweep("--task", 3, status=2).stderr)

    def test_list_is_a_command_a_line_that_a_shell_understands(self):
        (self.folder / "my folder; $x").mkdir()
        self.folder = self.folder / "my folder; $x"
        self.sweep({"time.step": [1e-3, 2e-3]})
        lines = self.xsim("--sweep", "s.sweep.json", "-o", "it's out", "--list", "-q", "-s",
                          "description=\"a 'b' $c\"").stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual(shlex.split(lines[1])[1:],
                         ["--sweep", "s.sweep.json", "--output", "it's out", "--task", "1", "--set",
                          "description=\"a 'b' $c\"", "--quiet"])
        self.assertEqual(self.files(), ["s.sweep.json", "scene.json"])
        subprocess.run(["sh", "-c", "\n".join(lines)], cwd=self.folder, check=True)
        self.xsim("--sweep", "s.sweep.json", "-o", "it's out", "--collect", "-s",
                  "description=\"a 'b' $c\"")
        self.assertEqual(self.column("exit_status", "it's out"), ["0", "0"])


class Failures(Sweep):
    """A sweep of three cases, of about a second each."""

    LONG = chain(60, 90000, every=77)

    @classmethod
    def setUpClass(cls):
        """The sweep that is never interrupted."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.uninterrupted = Path(folder.name)
        (cls.uninterrupted / "scene.json").write_text(json.dumps(cls.LONG))
        (cls.uninterrupted / "s.sweep.json").write_text(json.dumps(
            {"scene": "scene.json", "parameters": {"gravity.2": [-9, -10, -11]},
             "metrics": ["energy.total.final"]}))
        subprocess.run([XSIM, "--sweep", "s.sweep.json", "-o", "whole", "--jobs", "2", "-q"],
                       cwd=cls.uninterrupted, check=True)

    def started(self, *arguments):
        run = self.start("--sweep", "s.sweep.json", "-o", "out", *arguments)
        for step in (run.wait, run.kill, run.stdout.close, run.stderr.close):
            self.addCleanup(step)
        self.wait_for(lambda: len(list((self.folder / "out").glob("*.partial"))) >= 2)
        return run

    def workers(self, run):
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text()
        return [int(pid) for pid in children.split()]

    @staticmethod
    def has_open(pid, path):
        return any(os.path.realpath(link) == os.path.realpath(path)
                   for link in Path(f"/proc/{pid}/fd").iterdir())

    def assert_like_whole(self, cases):
        whole = self.uninterrupted / "whole"
        for case in range(cases):
            self.assert_same_bits(whole / f"case-{case:04d}.h5", f"out/case-{case:04d}.h5")
        self.assertEqual(self.rows(whole)[:cases + 1], self.rows("out"))

    def test_a_crash_is_the_failure_of_its_case_and_is_gone_on_with(self):
        self.sweep({"gravity.2": [-9, -10, -11]}, scene=self.LONG)
        run = self.started("--jobs", "2")
        time.sleep(0.3)
        os.kill(self.workers(run)[0], signal.SIGKILL)
        out, errors = run.communicate(timeout=60 * SLOWED)
        self.assertEqual(run.returncode, 1, out + errors)
        self.assertRegex(errors, r"case [01] .*exit status 1: ended by signal 9 \(Killed\)")
        self.assertIn("2 done, 1 crashed (status 1)", out)
        self.assertEqual(sorted(self.column("exit_status")), ["0", "0", "1"])
        self.assertIn("2 were finished before", self.run_sweep().stdout)
        self.assert_like_whole(3)

    def test_a_crash_leaves_the_cases_before_and_after_it_alone(self):
        """A worker that has done a case already is killed in its second one. Only that one: another
        may be waiting for the disk or for orders."""
        self.sweep({"time.duration": [0.1, self.LONG["time"]["duration"], 0.1]}, scene=self.LONG)
        run = self.start("--sweep", "s.sweep.json", "-o", "out")
        for step in (run.wait, run.kill, run.stdout.close, run.stderr.close):
            self.addCleanup(step)
        partial = self.folder / "out/case-0001.h5.partial"
        self.wait_for(partial.exists)
        time.sleep(0.2)
        writers = [worker for worker in self.workers(run) if self.has_open(worker, partial)]
        self.assertEqual(len(writers), 1)
        os.kill(writers[0], signal.SIGKILL)
        out, errors = run.communicate(timeout=60 * SLOWED)
        self.assertEqual(run.returncode, 1, out + errors)
        self.assertRegex(errors, r"case 1 .*exit status 1: ended by signal 9 \(Killed\)")
        self.assertIn("2 done, 1 crashed (status 1)", out)
        self.assertEqual(self.column("exit_status"), ["0", "1", "0"])
        self.assertIn("status      complete", (self.folder / "out/case-0002.log").read_text())

    def test_interrupted_sweeps_close_their_files_and_are_gone_on_with(self):
        self.sweep({"gravity.2": [-9, -10, -11]}, scene=self.LONG)
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.started("--jobs", "2", "--force")
            time.sleep(0.2)
            run.send_signal(number)
            out, errors = run.communicate(timeout=10 * SLOWED)
            self.assertEqual(run.returncode, 6, out + errors)
            self.assertIn("2 stopped (6), 1 not done", out)
            self.assertIn("3 of 3 cases are not done; the same command goes on", errors)
            self.assertEqual(list((self.folder / "out").glob("*.partial")), [])
            self.assertEqual(self.status_of("out/case-0001.h5"), ("stopped", 6))
            self.assertEqual(self.column("exit_status")[:2], ["6", "6"])
            self.run_sweep("--jobs", "2")
            self.assert_like_whole(3)
            with h5py.File(self.folder / "out/case-0001.h5") as file:
                self.assertIn("resumed_1", file["provenance"])

    def test_the_terminal_interrupts_the_sweep_only(self):
        """Workers are in groups of their own: a Ctrl-C reaches them once, from the sweep."""
        self.sweep({"gravity.2": [-9, -10]}, scene=self.LONG)
        run = self.started("--jobs", "2")
        group = os.getpgid(run.pid)
        for worker in self.workers(run):
            self.assertNotEqual(os.getpgid(worker), group)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=10 * SLOWED)

    def test_a_second_interrupt_ends_all_at_once(self):
        """Of cases whose only steps take long: the first interrupt waits for them to end. How many
        iterations last two seconds is measured."""
        slow = {**chain(20, 2, every=1), "solver": {"solve": "block", "iterations": 50000}}
        self.sweep({"gravity.2": [-9, -10]}, scene=slow)
        began = time.monotonic()
        self.run_sweep("--jobs", "2")
        shutil.rmtree(self.folder / "out")
        step = (time.monotonic() - began) / 2
        slow["solver"]["iterations"] = int(50000 * 2 / step)
        self.sweep({"gravity.2": [-9, -10]}, scene=slow)
        self.run_sweep("--jobs", "2")
        (self.folder / "out").rename(self.folder / "whole")
        run = self.started("--jobs", "2")
        workers = self.workers(run)
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(run.poll())
        asked = time.monotonic()
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(10 * SLOWED), -signal.SIGINT)
        self.wait_for(lambda: not any(os.path.exists(f"/proc/{pid}/exe") for pid in workers))
        self.assertLess(time.monotonic() - asked, 0.3 * SLOWED)
        self.assertEqual([f.name for f in sorted((self.folder / "out").glob("*.h5*"))],
                         ["case-0000.h5.partial", "case-0001.h5.partial"])
        self.assertNotIn("finished", self.run_sweep("--jobs", "2").stdout)
        for case in range(2):
            self.assert_same_bits(f"whole/case-{case:04d}.h5", f"out/case-{case:04d}.h5")
            with h5py.File(self.folder / f"out/case-{case:04d}.h5") as file:
                self.assertIn("resumed_1", file["provenance"])

    def test_a_killed_sweep_takes_its_workers_along(self):
        self.sweep({"gravity.2": [-9, -10]}, scene=self.LONG)
        run = self.started("--jobs", "2")
        workers = self.workers(run)
        run.kill()
        run.communicate()
        self.wait_for(lambda: not any(os.path.exists(f"/proc/{pid}/exe") for pid in workers))
        self.assertEqual(self.status_of("out/case-0000.h5"), ("stopped", 6))
        self.run_sweep()
        self.assert_like_whole(2)

    def test_max_wall_is_that_of_the_whole_sweep(self):
        self.sweep({"gravity.2": [-9, -10, -11]}, scene=self.LONG)
        start = time.monotonic()
        self.assertIn("1 not done", self.run_sweep("--jobs", "2", "--max-wall", "0.5",
                                                   status=6).stdout)
        self.assertLess(time.monotonic() - start, 0.9 * SLOWED)
        self.run_sweep("--jobs", "2")
        self.assert_like_whole(3)

    def test_a_case_that_another_run_is_writing_is_refused(self):
        self.sweep({"gravity.2": [-9, -10]}, scene=self.LONG)
        run = self.started("--jobs", "2")
        self.assertIn("another run is writing this result", self.run_sweep(status=4).stderr)
        self.assertIsNone(run.poll())
        run.kill()
        run.communicate()

    def test_many_failures_are_not_all_told(self):
        self.sweep({"time.step": [-1 - i for i in range(30)]})
        text = self.run_sweep("--jobs", "2", status=3).stderr
        self.assertEqual(text.count("must be > 0"), 20)
        self.assertIn("10 further cases", text)

    def test_folders_that_cannot_be_used(self):
        self.sweep({"time.step": [1e-3]})
        self.assertIn("the folder cannot be made",
                      self.xsim("--sweep", "s.sweep.json", "-o", "no/where", status=4).stderr)
        self.assertIn("is no folder", self.xsim("--sweep", "s.sweep.json", "-o", "scene.json",
                                                status=4).stderr)

    def test_full_disk(self):
        self.sweep({"time.step": [1e-3, 2e-3]})

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

        self.run_sweep(status=4, preexec=limit)
        self.run_sweep()

    def test_progress_counts_cases_and_tells_what_is_left(self):
        self.sweep({"gravity.2": [-9, -10, -11]}, scene=self.LONG)
        text = self.run_sweep("--jobs", "2", "--progress", "always").stderr
        self.assertRegex(text, r"0 of 3 cases \[#+-+\] +\d+ %  ETA \d+:\d\d  2 running\n")


class Memory(Sweep):
    def peak(self, cases):
        """Largest resident size of the sweep's own process, kB: workers are not waited for here."""
        self.sweep({"gravity.2": [-9 - 0.01 * i for i in range(cases)]},
                   scene={**SHORT, "time": {"step": 1e-3, "duration": 0.002}})
        script = ("import os, subprocess, sys\n"
                  "run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
                  "print(os.wait4(run.pid, 0)[2].ru_maxrss)")
        done = subprocess.run(["/usr/bin/python3", "-c", script, XSIM, "--sweep", "s.sweep.json",
                               "-o", f"out{cases}", "--jobs", "2", "-q"], cwd=self.folder,
                              text=True, capture_output=True, check=True)
        return int(done.stdout)

    @unittest.skipIf("XSIM_TEST_SANITIZED" in os.environ,
                     "AddressSanitizer keeps what is freed for a while")
    def test_memory_does_not_grow_with_the_cases(self):
        few, many = self.peak(20), self.peak(400)
        print(f"largest process of a sweep: {few} kB with 20 cases, {many} kB with 400")
        self.assertLess(many, 1.05 * few)


if __name__ == "__main__":
    unittest.main()
