"""The JSON Schemas and the loaders reach the same verdict on every scene and every sweep of the
repository.

Good scenes (scenes/, tests/good) pass both. Bad ones (tests/bad) fail the loader; the schema
refuses them too, unless the first line of NAME.expected is "# semantic": that is a fault which
no schema can see (unknown references, physics), and the schema must accept those.

The loader is the command in XSIM_CHECK (default: $XSIM --check, or build/xsim), given the scene's
path.
"""

import json
import math
import os
import pathlib
import shlex
import subprocess
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "schemas"
XSIM = os.environ.get("XSIM", str(ROOT / "build/xsim"))
COMMAND = shlex.split(os.environ.get("XSIM_CHECK", shlex.quote(XSIM) + " --check"))
WRONG_SCENE = 3


def without_comments(text):
    """The text with // and /* */ comments blanked; raises if one does not end."""
    out, i = [], 0
    while i < len(text):
        if text[i] == '"':
            end = i + 1
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            out.append(text[i : end + 1])
            i = end + 1
        elif text.startswith("//", i):
            end = text.find("\n", i)
            i = len(text) if end < 0 else end
        elif text.startswith("/*", i):
            i = text.index("*/", i) + 2
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def strict_object(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError("duplicate key")
    return dict(pairs)


def finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("number out of range")
    return value


def no_constant(text):
    raise ValueError(f"{text} is not JSON")


def read(path):
    """The document, by the same strict JSON as the loader's; ValueError if it is none."""
    return json.loads(
        without_comments(path.read_text(encoding="utf-8")),
        object_pairs_hook=strict_object,
        parse_float=finite,
        parse_constant=no_constant,
    )


def sweeps(folder):
    return sorted(folder.rglob("*.sweep.json"))


class Verdicts:
    """What scenes and sweeps have in common."""

    @classmethod
    def setUpClass(cls):
        schema = json.loads((SCHEMAS / cls.SCHEMA).read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        cls.validator = jsonschema.Draft202012Validator(schema)

    def schema_accepts(self, path):
        try:
            document = read(path)
        except ValueError:
            return False
        return self.validator.is_valid(document)

    def loader_status(self, path):
        return subprocess.run(
            COMMAND + self.OPTIONS + [str(path)], capture_output=True, text=True, check=False
        ).returncode

    def check_good(self, paths):
        self.assertGreater(len(paths), 0)
        for path in paths:
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertTrue(self.schema_accepts(path))
                self.assertEqual(self.loader_status(path), 0)

    def check_bad(self, paths):
        for path in paths:
            with self.subTest(file=path.name):
                expected = path.with_suffix(".expected").read_text(encoding="utf-8")
                semantic = expected.startswith("# semantic\n")
                self.assertEqual(self.schema_accepts(path), semantic)
                self.assertEqual(self.loader_status(path), WRONG_SCENE)

    def test_every_key_says_what_it_means(self):
        schema = self.validator.schema
        for name, item in [("root", schema), *schema.get("$defs", {}).items()]:
            self.assertIs(item["additionalProperties"], False, name)
            for key, value in item["properties"].items():
                with self.subTest(key=f"{name}.{key}"):
                    self.assertTrue(value["description"].endswith("."))

    def test_defaults_are_valid_themselves(self):
        schema = self.validator.schema
        for name, item in [("root", schema), *schema.get("$defs", {}).items()]:
            for key, value in item["properties"].items():
                if "default" in value:
                    with self.subTest(key=f"{name}.{key}"):
                        alone = {**value, "$defs": schema.get("$defs", {})}
                        validator = self.validator.evolve(schema=alone)
                        self.assertTrue(validator.is_valid(value["default"]))


class Scenes(Verdicts, unittest.TestCase):
    SCHEMA, OPTIONS = "scene.schema.json", []

    def test_good_scenes_pass_both(self):
        paths = set((ROOT / "scenes").rglob("*.json")) - set(sweeps(ROOT / "scenes"))
        self.check_good(sorted([*paths, *(ROOT / "tests/good").glob("*.json")]))

    def test_bad_scenes_fail_both_unless_the_fault_is_semantic(self):
        paths = sorted((ROOT / "tests/bad").glob("*.json"))
        self.assertGreaterEqual(len(paths), 240)
        self.check_bad(paths)


class Sweeps(Verdicts, unittest.TestCase):
    SCHEMA, OPTIONS = "sweep.schema.json", ["--sweep"]

    def test_good_sweeps_pass_both(self):
        self.check_good(sweeps(ROOT / "scenes"))

    def test_bad_sweeps_fail_both_unless_the_fault_is_semantic(self):
        self.check_bad(sorted((ROOT / "tests/bad_sweeps").glob("*.json")))


if __name__ == "__main__":
    unittest.main()
