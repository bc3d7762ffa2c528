"""The result file as other programs read it: h5py and h5dump, finished, running and killed.

The file comes from tests/tools/write_result.c, whose numbers follow from the step k by closed
forms (tests/result_sample.h), so every value is compared. Killed writers are killed at random
moments; each file has to open and to hold all records that the writer had flushed."""
import os
import random
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
XSIM = os.environ.get("XSIM", os.path.join(ROOT, "build", "xsim"))
WRITER = os.path.join(os.path.dirname(XSIM), "tests", "tools", "write_result")
KILLS = 60

# path: (shape after T, unit), with N = 3 bodies and J = 2 joints
FIELDS = {
    "time": ((), "s"),
    "step": ((), "1"),
    "bodies/position": ((3, 3), "m"),
    "bodies/orientation": ((3, 4), "1"),
    "bodies/linear_velocity": ((3, 3), "m/s"),
    "bodies/angular_velocity": ((3, 3), "rad/s"),
    "joints/force": ((2, 3), "N"),
    "joints/torque": ((2, 3), "N m"),
    "joints/coordinate": ((2, 3), "rad, m"),
    "residual/primal": ((), "kg m, kg m^2 rad"),
    "residual/constraint": ((), "m, rad"),
    "residual/primal_relative": ((), "1"),
    "residual/joint": ((2,), "m, rad"),
    "energy/kinetic": ((), "J"),
    "energy/gravity": ((), "J"),
    "energy/elastic": ((), "J"),
    "energy/total": ((), "J"),
    "momentum/linear": ((3,), "kg m/s"),
    "momentum/angular": ((3,), "kg m^2/s"),
    "timing/step": ((), "s"),
}
TEXTS = {
    "scene": '{ "name": "sample", // café\n  "format": 1 }\n'.encode(),
    "scene_file": b"sample.json",
    "overrides": b"",
    "resolved": b"{}",
    "command_line": b"xsim sample.json",
    "version": b"0.1.0",
    "git_commit": b"0123abc",
    "compiler": b"gcc -O3",
    "libraries": b"HDF5 1.10",
}


def datasets(file):
    found = {}
    file.visititems(lambda name, item: found.update({name: item})
                    if isinstance(item, h5py.Dataset) else None)
    return found


def write(path, *arguments):
    return subprocess.run([WRITER, path, *map(str, arguments)], capture_output=True, text=True)


def wrong_numbers(file, n):
    """What differs from the closed forms within the first n records; "" if nothing."""
    k = np.arange(n, dtype=float)
    zero = np.zeros(n)
    expected = {
        "step": k,
        "time": k * 1e-3,
        "residual/primal": 0.5 ** (k % 8),
        "energy/total": 100 - k / 1000,
        "momentum/angular": np.stack([zero + 4, zero + 5, k], axis=1),
    }
    for path, values in expected.items():
        if not np.array_equal(file[path][:n], values):
            return path
    for i in range(file["bodies/position"].shape[1] if "bodies" in file else 0):
        if not np.array_equal(file["bodies/position"][:n, i],
                              np.stack([zero + i, k, -k / 8], axis=1)):
            return "bodies/position"
    for i in range(file["joints/force"].shape[1] if "joints" in file else 0):
        if not np.array_equal(file["joints/force"][:n, i],
                              np.stack([k, zero, zero - i], axis=1)):
            return "joints/force"
    return ""


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="xsim-result-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.path = os.path.join(self.folder, "out.h5")

    def written(self, *arguments):
        done = write(self.path, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = h5py.File(self.path, "r")
        self.addCleanup(file.close)
        return file


class Finished(InFolder):
    def test_every_field_has_shape_unit_and_time_as_its_scale(self):
        file = self.written(3, 2, 1001, 0)
        growing = {p for p, d in datasets(file).items() if d.maxshape[:1] == (None,)}
        self.assertEqual(growing, set(FIELDS))
        for path, (shape, unit) in FIELDS.items():
            data = file[path]
            self.assertEqual(data.shape, (1001,) + shape, path)
            self.assertEqual(data.dtype, np.int64 if path == "step" else np.float64, path)
            self.assertEqual(data.attrs["units"].decode(), unit, path)
            if path != "time":
                self.assertEqual(data.dims[0].keys(), ["time"], path)
                self.assertEqual(data.dims[0][0], file["time"], path)
        self.assertTrue(h5py.h5ds.is_scale(file["time"].id))

    def test_every_dataset_has_units_and_long_name(self):
        for path, data in datasets(self.written(3, 2, 11, 0)).items():
            for name in ("units", "long_name"):
                self.assertIn(name, data.attrs, path)
                self.assertGreater(len(data.attrs[name]), 0, path)

    def test_no_text_is_of_variable_length(self):
        file = self.written(3, 2, 11, 0)
        for path, data in datasets(file).items():
            self.assertNotEqual(data.dtype.kind, "O", path)

    def test_root_attributes(self):
        attributes = self.written(3, 2, 11, 0).attrs
        self.assertEqual(attributes["xsim_format"], 1)
        self.assertEqual(attributes["status"], b"complete")
        self.assertEqual(attributes["exit_code"], 0)
        self.assertEqual(attributes["time_step"], 1e-3)
        self.assertEqual(attributes["xsim_version"], b"0.1.0")
        self.assertEqual(attributes["git_commit"], b"0123abc")

    def test_names_types_and_provenance(self):
        file = self.written(3, 2, 11, 0)
        self.assertEqual(list(file["bodies/name"][:]), [b"link1", b"link2", b"link3"])
        self.assertEqual(list(file["joints/name"][:]), [b"hinge1", b"hinge2"])
        self.assertEqual(list(file["joints/type"][:]), [b"fixed", b"revolute"])
        for name, text in TEXTS.items():
            self.assertEqual(file["provenance"][name][()], text, name)
        self.assertRegex(file["provenance/start_time"][()], rb"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertGreater(len(file["provenance/host"][()]), 0)

    def test_numbers_plain_and_compressed(self):
        for compression in (0, 1, 9):
            with self.subTest(compression=compression):
                self.path = os.path.join(self.folder, f"c{compression}.h5")
                file = self.written(3, 2, 20001, compression)
                self.assertEqual(file["time"].shape, (20001,))
                self.assertEqual(wrong_numbers(file, 20001), "")

    def test_compression_makes_every_chunk_smaller(self):
        data = self.written(3, 2, 20001, 4)["bodies/position"]
        self.assertEqual(data.compression, "gzip")
        self.assertTrue(data.shuffle)
        for i in range(data.id.get_num_chunks()):
            chunk = data.id.get_chunk_info(i)
            self.assertEqual(chunk.filter_mask, 0)
            self.assertLess(chunk.size, 32 * 1024)

    def test_chunks_are_64_kib_or_the_whole_run(self):
        file = self.written(3, 2, 20001, 0)
        self.assertEqual(file["time"].chunks, (8192,))
        self.assertEqual(file["bodies/position"].chunks, (910, 3, 3))
        short = os.path.join(self.folder, "short.h5")
        self.assertEqual(write(short, 3, 2, 11, 0).returncode, 0)
        with h5py.File(short, "r") as other:
            self.assertEqual(other["time"].chunks, (11,))

    def test_rows_larger_than_a_chunk(self):
        file = self.written(5000, 0, 7, 0)
        self.assertEqual(file["bodies/position"].chunks, (1, 2730, 3))
        self.assertEqual(wrong_numbers(file, 7), "")

    def test_every_joint_type_has_its_name(self):
        file = self.written(7, 6, 3, 0)
        self.assertEqual(
            [name.decode() for name in file["joints/type"]],
            ["fixed", "revolute", "spherical", "prismatic", "planar", "distance"],
        )

    def test_without_bodies_or_joints(self):
        file = self.written(0, 0, 11, 0)
        self.assertNotIn("bodies", file)
        self.assertNotIn("joints", file)
        self.assertNotIn("joint", file["residual"])
        self.assertEqual(wrong_numbers(file, 11), "")

    def test_checksum_of_a_checkpoint(self):
        """As its long_name tells it."""
        file = self.written(3, 2, 11, 0)
        for slot in file["checkpoint"].values():
            numbers = [slot["step"], slot["records"], *sorted(
                (item for name, item in slot.items() if item.size and
                 name not in ("step", "records", "sequence", "checksum")),
                key=lambda item: item.id.get_offset())]
            self.assertGreater(len(numbers), 4)
            value = 0xcbf29ce484222325
            for word in memoryview(b"".join(item[()].tobytes() for item in numbers)).cast("Q"):
                value = (value ^ word) * 0x100000001b3 % 2**64
            self.assertEqual(int(slot["checksum"][0]) % 2**64, value)

    def test_h5dump_reads_all_of_it(self):
        self.written(3, 2, 101, 4).close()
        done = subprocess.run(["h5dump", self.path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('DATASET "angular_velocity"', done.stdout)
        self.assertEqual(done.stderr, "")

    def test_format_is_as_old_as_can_be(self):
        """Version 2 of the superblock, which HDF5 has read since 1.8: version 0 cannot say that room
        is not reused. Libraries that do not know that message pass over it. All else is in the
        earliest format: headers of version 1, trees of names and chunks."""
        self.written(3, 2, 11, 0).close()
        with open(self.path, "rb") as stream:
            raw = stream.read()
        self.assertEqual(raw[8], 2)
        extension, _, root = struct.unpack("<QQQ", raw[20:44])
        for header in (extension, root):
            self.assertEqual(raw[header], 1)
        (kind, _, flags) = struct.unpack("<HHB", raw[extension + 16:extension + 21])
        self.assertEqual(kind, 0x17)  # the file space info
        fail_if_unknown_and_writing, fail_if_unknown = 0x08, 0x80
        self.assertEqual(flags & (fail_if_unknown_and_writing | fail_if_unknown), 0)
        self.assertNotIn(b"OHDR", raw)
        self.assertNotIn(b"FRHP", raw)
        self.assertIn(b"TREE", raw)
        self.assertIn(b"SNOD", raw)


class Killed(InFolder):
    def kill_after(self, seconds, compression):
        """Kills a writer some seconds after its first flush. Returns records flushed, by its word."""
        with subprocess.Popen([WRITER, self.path, "3", "2", "20001", str(compression), "forever"],
                              stdout=subprocess.PIPE, text=True) as writer:
            first = writer.stdout.readline()
            time.sleep(seconds)
            writer.send_signal(signal.SIGKILL)
            lines = (first + writer.stdout.read()).split("\n")[:-1]
        return int(lines[-1]) if lines else 0

    def kill_at_write(self, number, chunk, compression):
        """Lets a writer with chunks of a few records die in place of one write."""
        done = write(self.path, 3, 2, chunk, compression, "forever", number)
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        lines = done.stdout.split("\n")[:-1]
        return int(lines[-1]) if lines else 0

    def fault(self, flushed):
        """What is wrong with the file of a killed writer; "" if nothing."""
        if flushed == 0:  # killed before the first flush was reported: nothing is promised
            return ""
        self.killed_while_writing += 1
        try:
            with h5py.File(self.path + ".partial", "r") as file:
                lengths = {path: len(file[path]) for path in FIELDS}
                if len(file["time"]) != min(lengths.values()):
                    return f"/time is not the shortest: {lengths}"
                if len(file["time"]) < flushed:
                    return f"{len(file['time'])} records, {flushed} were flushed"
                if file.attrs["status"] != b"running":
                    return "status"
                return wrong_numbers(file, len(file["time"]))
        except OSError as error:
            return "chunk" if "inflate" in str(error) else str(error)

    def faults(self, kills, kill):
        """kill(chance) kills one writer and returns what it had flushed."""
        chance = random.Random(1)
        faults = []
        self.killed_while_writing = 0
        for _ in range(kills):
            faults.append(self.fault(kill(chance)))
            for name in os.listdir(self.folder):
                os.unlink(os.path.join(self.folder, name))
        self.assertGreater(self.killed_while_writing, kills * 2 // 3)
        return [fault for fault in faults if fault]

    def kill_often(self, kills, kill):
        self.assertEqual(self.faults(kills, kill), [], f"of {kills} kills")

    def test_killed_at_random_moments(self):
        self.kill_often(KILLS, lambda c: self.kill_after(0.15 * c.random(), 0))

    def test_killed_at_random_moments_compressed(self):
        self.kill_often(KILLS, lambda c: self.kill_after(0.15 * c.random(), 6))

    def test_killed_between_any_two_writes(self):
        # With 2 records a chunk the B-trees split within the first 130 records.
        self.kill_often(3 * KILLS, lambda c: self.kill_at_write(c.randrange(1, 4000), 2, 0))

    def test_killed_between_any_two_writes_compressed(self):
        self.kill_often(3 * KILLS, lambda c: self.kill_at_write(c.randrange(1, 4000), 20, 6))


class Limited(InFolder):
    """A limit on the size of files stands for a full disk; SIGXFSZ is ignored by xsim."""

    def test_file_size_limit_is_reported_and_leaves_a_readable_file(self):
        done = subprocess.run(
            ["sh", "-c", f"trap '' XFSZ; ulimit -f 8192; exec {WRITER} {self.path} 3 2 200001 0"],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertNotIn("HDF5-DIAG", done.stderr)
        self.assertFalse(os.path.exists(self.path))
        with h5py.File(self.path + ".partial", "r") as file:
            n = min(len(file[path]) for path in FIELDS)
            self.assertGreater(n, 1000)
            self.assertEqual(wrong_numbers(file, n), "")

    def test_full_file_system(self):
        place = os.path.join(self.folder, "small")
        os.mkdir(place)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", place],
                          capture_output=True).returncode != 0:
            self.skipTest("mounting a small file system is not permitted")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        for compression in (0, 1):
            path = os.path.join(place, f"c{compression}.h5")
            with open(path, "wb") as old:
                old.write(b"earlier")
            done = write(path, 30, 20, 200001, compression)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("No space left on device", done.stderr)
            self.assertNotIn("HDF5-DIAG", done.stderr)
            with open(path, "rb") as old:
                self.assertEqual(old.read(), b"earlier")
            with h5py.File(path + ".partial", "r") as file:
                n = min(len(file[p]) for p in FIELDS)
                self.assertGreater(n, 0)
                self.assertEqual(wrong_numbers(file, n), "")
            os.unlink(path + ".partial")


if __name__ == "__main__":
    unittest.main()
