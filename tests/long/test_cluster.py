"""Sweeps through Slurm (scripts/sweep.sbatch), GNU parallel (--list) and Snakemake (the README's
recipe), summaries merged by scripts/collect: the same summary and the same bits as `xsim --sweep --jobs 2`; jobs that are ended
by scancel or their time limit go on where they were.

Slurm runs here for the test alone: munged, slurmctld and slurmd with a configuration in a folder of
its own, one node with two processors. Needs root, as slurmd does."""
import csv
import os
import re
import shutil
import socket
import subprocess
import time
import unittest
from pathlib import Path

import h5py

import test_cli
from test_cli import ROOT, XSIM

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={port}
SlurmdPort={port2}
ReturnToService=2
KillWait=5
MinJobAge=3600
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP
"""
LONG_STEPS = 4_000_000  # most of a minute, where the machine does nothing else
DAEMONS = ("munged", "slurmctld", "slurmd")
METRICS = ["bodies.position.link0.z.final", "energy.total.max", "residual.constraint.max"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Sweep(test_cli.Cli):
    def sweep(self, parameters, scene, name="s.sweep.json"):
        self.scene(scene)
        self.scene({"scene": "scene.json", "parameters": parameters, "metrics": METRICS}, name)
        return name

    def forty(self):
        """Forty cases of two parameters, with a value that a shell has to quote."""
        scene = test_cli.chain(3, 200)
        return self.sweep({"gravity": [[0, 0, -g] for g in range(1, 21)],
                           "description": ["it's", "a $b"]}, scene)

    def summary(self, folder):
        with (self.folder / folder / "summary.csv").open(newline="") as file:
            return list(csv.reader(file))

    def assert_same_sweeps(self, first, second, cases):
        self.assertEqual(self.summary(first), self.summary(second))
        self.assertEqual(len(self.summary(first)), cases + 1)
        with h5py.File(self.folder / first / "summary.h5") as a, \
                h5py.File(self.folder / second / "summary.h5") as b:
            for group in (a, a["parameters"], a["metrics"]):
                for name, item in group.items():
                    if isinstance(item, h5py.Dataset):
                        self.assertEqual(item[()].tobytes(), b[item.name][()].tobytes(), name)
        for case in range(cases):
            self.assert_same_bits(f"{first}/case-{case:04d}.h5", f"{second}/case-{case:04d}.h5")

    def collect(self, *arguments, status=0):
        done = subprocess.run([ROOT / "scripts/collect", *arguments], cwd=self.folder, text=True,
                              env={**os.environ, "XSIM": XSIM}, capture_output=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done


@unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
class Parallel(Sweep):
    def test_list_through_parallel_is_the_same_sweep(self):
        sweep = self.forty()
        self.xsim("--sweep", sweep, "-o", "whole", "--jobs", "2")
        done = subprocess.run(f'"{XSIM}" --sweep {sweep} -o parts -q --list | parallel --jobs 2',
                              shell=True, cwd=self.folder, text=True, capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.collect(sweep, "parts")
        self.assert_same_sweeps("whole", "parts", 40)

    def test_parts_on_several_machines_are_brought_together(self):
        sweep = self.forty()
        self.xsim("--sweep", sweep, "-o", "whole", "--jobs", "2")
        for case in range(40):
            self.xsim("--sweep", sweep, "-o", f"part{case % 3}", "--task", case, "-q")
        self.assertIn("26 of 40 cases are not done", self.collect(sweep, "part0", status=6).stderr)
        self.collect(sweep, "all", "--from", "part0", "--from", "part1", "--from", "part2")
        self.assert_same_sweeps("whole", "all", 40)


@unittest.skipUnless(shutil.which("snakemake"), "Snakemake is not installed (Debian: snakemake)")
class Snakemake(Sweep):
    def test_the_recipe_of_the_readme_is_the_same_sweep(self):
        sweep = self.forty()
        (self.folder / sweep).rename(self.folder / "S.json")
        self.xsim("--sweep", "S.json", "-o", "whole", "--jobs", "2")
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        recipe = re.search(r"```python\n(import subprocess\nSWEEP.*?)```", readme, re.DOTALL)[1]
        (self.folder / "Snakefile").write_text(recipe.replace("build/xsim", XSIM))
        done = subprocess.run(["snakemake", "-j2", "-q"], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_sweeps("whole", "out", 40)


@unittest.skipUnless(all(map(shutil.which, DAEMONS)), "Slurm is not installed")
@unittest.skipUnless(os.geteuid() == 0, "slurmd needs root")
class Slurm(Sweep):
    def setUp(self):
        super().setUp()
        self.slurm, self.running = self.folder / "slurm", {}
        for part in ("state", "spool"):
            (self.slurm / part).mkdir(parents=True)
        (self.slurm / "key").write_bytes(os.urandom(128))
        (self.slurm / "key").chmod(0o400)
        host = socket.gethostname().split(".")[0]
        (self.slurm / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.slurm, host=host, port=free_port(), port2=free_port()))
        self.environment = {**os.environ, "SLURM_CONF": str(self.slurm / "slurm.conf"),
                            "XSIM": XSIM}
        self.daemon("munged", "--foreground", "--force",
                    *(f"--{name}={self.slurm / file}" for name, file in
                      (("socket", "munge.socket"), ("key-file", "key"), ("log-file", "munge.log"),
                       ("pid-file", "munge.pid"), ("seed-file", "munge.seed"))))
        self.wait_for((self.slurm / "munge.socket").exists)
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D", "-N", host)
        self.wait_for(self.is_idle, 60)

    def is_idle(self):
        """Whether the node waits for jobs; a daemon that has ended would be waited for in vain."""
        for name, process in self.running.items():
            self.assertIsNone(process.poll(), (self.slurm / f"{name}.out").read_text())
        return "idle" in self.call("sinfo", "-h", "-o", "%T", check=False)

    def daemon(self, name, *arguments):
        """Starts a daemon that ends with the test."""
        with (self.slurm / f"{name}.out").open("w") as log:
            process = subprocess.Popen([shutil.which(name), *arguments], env=self.environment,
                                       stdout=log, stderr=log, preexec_fn=test_cli.default_signals)

        self.running[name] = process

        def stop():
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        self.addCleanup(stop)

    def call(self, *arguments, check=True, **environment):
        done = subprocess.run(arguments, cwd=self.folder, text=True, capture_output=True,
                              check=False, env={**self.environment, **environment})
        if check:
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def submit(self, sweep, folder, *options, array="0", **environment):
        out = self.call("sbatch", "--parsable", f"--array={array}", "--output=slurm-%a.out",
                        *options, str(ROOT / "scripts/sweep.sbatch"), sweep, folder, **environment)
        return out.strip()

    def states(self, job):
        """How often each state among the tasks of a job."""
        states = self.call("squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%T").split()
        return {state: states.count(state) for state in states}

    def finished(self, job, state, count=1):
        self.wait_for(lambda: not {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING"}
                      & self.states(job).keys(), 300)
        logs = "".join(path.read_text()[-500:] for path in self.folder.glob("slurm-*.out"))
        self.assertEqual(self.states(job), {state: count}, logs)

    def long_sweep(self, steps):
        """One case that takes some time, and the same without Slurm."""
        return self.sweep({"gravity": [[0, 0, -9]]}, test_cli.chain(60, steps, every=1000))

    def resumed(self, folder):
        """How often the case was gone on with."""
        with h5py.File(self.folder / folder / "case-0000.h5") as file:
            return sum(name.startswith("resumed_") for name in file["provenance"])

    def test_array_of_forty_cases(self):
        sweep = self.forty()
        self.xsim("--sweep", sweep, "-o", "whole", "--jobs", "2")
        job = self.submit(sweep, "array", array="0-39")
        self.finished(job, "COMPLETED", 40)
        self.collect(sweep, "array")
        self.assert_same_sweeps("whole", "array", 40)

        # Tasks of several cases, the last of which has fewer.
        job = self.submit(sweep, "chunks", array="0-5", CHUNK="7")
        self.finished(job, "COMPLETED", 6)
        self.collect(sweep, "chunks")
        self.assert_same_sweeps("whole", "chunks", 40)

    def test_status_of_a_failing_case_is_that_of_its_task(self):
        sweep = self.sweep({"time.step": [1e-3, -1, 2e-3]}, test_cli.chain(2, 10))
        job = self.submit(sweep, "out", array="0-2")
        self.wait_for(lambda: sum(self.states(job).get(s, 0) for s in ("COMPLETED", "FAILED")) == 3,
                      120)
        self.assertEqual(self.states(job), {"COMPLETED": 2, "FAILED": 1})
        self.collect(sweep, "out", status=3)
        self.assertEqual([row[2] for row in self.summary("out")], ["exit_status", "0", "3", "0"])

    def test_cancelled_and_sent_again_goes_on(self):
        sweep = self.long_sweep(600_000)
        self.xsim("--sweep", sweep, "-o", "whole")
        for more in ((), ("--signal=KILL", "--full")):
            with self.subTest(more):
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                job = self.submit(sweep, "out")
                self.wait_for((self.folder / "out/case-0000.h5.partial").exists, 60)
                time.sleep(2)
                self.call("scancel", *more, job)
                self.wait_for(lambda: "RUNNING" not in self.states(job)
                              and "COMPLETING" not in self.states(job), 60)
                self.collect(sweep, "out", status=6)
                self.finished(self.submit(sweep, "out"), "COMPLETED")
                self.assertEqual(self.resumed("out"), 1)
                self.collect(sweep, "out")
                self.assert_same_sweeps("whole", "out", 1)

    def test_time_limit_is_got_over_by_requeueing(self):
        # Slurm looks at limits every half a minute: the signal comes after 15 to 45 s.
        sweep = self.long_sweep(LONG_STEPS)
        subprocess.run([XSIM, "--sweep", sweep, "-o", "whole", "-q"], cwd=self.folder, check=True)
        job = self.submit(sweep, "out", "--time=1", "--signal=B:USR1@45")
        self.wait_for(lambda: self.states(job).get("COMPLETED"), 600)
        self.assertGreaterEqual(self.resumed("out"), 1)
        self.assertIn("the time limit is near", (self.folder / "slurm-0.out").read_text())
        self.collect(sweep, "out")
        self.assert_same_sweeps("whole", "out", 1)


if __name__ == "__main__":
    unittest.main()
