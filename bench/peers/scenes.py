"""The scenes of the comparison, one description for all simulators.

A scene is bodies (principal axes, pose at t = 0), joints (place and axis in the world at t = 0),
boxes and a floor. text() writes it for the drivers of ODE and Bullet (peer.h), xsim() as a
scene of xsim, mjcf() as a model of MuJoCo. Chain and linkage stand on scenes kept elsewhere in the
repository, whose numbers are read, not copied. observe() computes what all are compared by, from
poses and velocities alone, by the same lines for every simulator.
"""
import json
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

# Matrices are small: threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402 (needs the line above)

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/reference")]
from make_chain import chain  # noqa: E402 (needs the path above)


# ---- Rotations: quaternions w x y z, arrays of them in the last axis ----

def turned(q, a):
    """a rotated by q."""
    w, u = q[..., :1], q[..., 1:]
    t = 2 * np.cross(u, a)
    return a + w * t + np.cross(u, t)


def conjugate(q):
    return np.asarray(q) * [1, -1, -1, -1]


def product(a, b):
    u, v = a[1:], b[1:]
    return np.concatenate(([a[0] * b[0] - u @ v], a[0] * v + b[0] * u + np.cross(u, v)))


def about(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * axis))


MJCF_LEVELS = 50  # of nested bodies in a file


# ---- Description ----

@dataclass
class Body:
    mass: float
    inertia: list
    p: np.ndarray
    q: np.ndarray
    v: list = field(default_factory=lambda: [0.0, 0.0, 0.0])
    half: list = None  # of a box


@dataclass
class Joint:
    bodies: tuple  # -1: ground
    p: np.ndarray
    axis: np.ndarray = None  # None: spherical


@dataclass
class Scene:
    name: str
    what: str
    gravity: list
    bodies: list
    joints: list
    duration: float
    every: float  # s between records
    friction: tuple = None  # (floor, box) if there is a floor

    def local(self, body, a, point=True):
        """A point, or a direction, of the world at t = 0 in a body's frame."""
        if body < 0:
            return np.asarray(a, float)
        b = self.bodies[body]
        return turned(conjugate(b.q), np.asarray(a) - (b.p if point else 0))

    # ---- For each simulator ----

    def text(self):
        def line(word, *values):
            return " ".join([word, *(f"{x:.17g}" for value in values for x in np.ravel(value))])
        lines = [line("gravity", self.gravity)]
        lines += [line("body", b.mass, b.inertia, b.p, b.q, b.v) for b in self.bodies]
        for j in self.joints:
            lines.append(line("spherical", j.bodies, j.p) if j.axis is None else
                         line("revolute", j.bodies, j.p, j.axis))
        lines += [line("box", i, b.half) for i, b in enumerate(self.bodies) if b.half]
        if self.friction:
            lines.append(line("floor", self.friction))
        return "\n".join(lines) + "\n"

    def xsim(self):
        def name(i):
            return "ground" if i < 0 else f"b{i}"
        bodies = []
        for i, b in enumerate(self.bodies):
            bodies.append({"name": name(i), "position": list(b.p), "orientation":
                           {"quaternion": list(b.q)}, "mass": b.mass, "inertia": list(b.inertia),
                           "linear_velocity": list(b.v)})
            if b.half:
                bodies[-1]["shapes"] = [{"type": "box", "half_extents": b.half, "material": "box"}]
        joints = []
        for i, j in enumerate(self.joints):
            at = {"position": list(j.p)}
            if j.axis is not None:
                at["axis"] = list(j.axis)
            joints.append({"name": f"j{i}", "type": "spherical" if j.axis is None else "revolute",
                           "body1": name(j.bodies[0]), "body2": name(j.bodies[1]), "at": at})
        scene = {"format": 1, "name": self.name, "gravity": list(self.gravity),
                 "time": {"step": 1e-3, "duration": self.duration}, "bodies": bodies,
                 "joints": joints}
        if self.friction:
            # a pair has the root of the product of its two coefficients
            floor, box = self.friction
            scene["contact"] = {"enabled": True}
            scene["materials"] = {"box": {"friction": box}, "floor": {"friction": floor**2 / box}}
            bodies.append({"name": "floor", "fixed": True,
                           "shapes": [{"type": "plane", "material": "floor"}]})
        return json.dumps(scene, indent=1)

    def mjcf(self, option, constraint=""):
        """Texts of the model's files: the first is the model, the others "deeper1.xml" ... hold
        what it includes, as its reader takes no more than 100 levels in a file. option:
        attributes of <option>; constraint: those of geoms and connects."""
        files = [None]

        def numbers(values):
            return " ".join(f"{x:.17g}" for x in np.ravel(values))

        # Joints in their order, as far as each brings a new body, are the tree; others close loops.
        parent, loops = {}, []
        for j in self.joints:
            if j.bodies[1] in parent:
                loops.append(j)
            else:
                parent[j.bodies[1]] = j

        def body(i, level=1):
            if level % MJCF_LEVELS == 0:
                files.append(None)
                name = f"deeper{len(files) - 1}.xml"
                here = len(files) - 1
                files[here] = "\n".join(["<mujocoinclude>", *body(i, level + 1),
                                         "</mujocoinclude>"])
                return [f'<include file="{name}"/>']
            b, j = self.bodies[i], parent.get(i)
            up = j.bodies[0] if j else -1
            at = self.local(up, b.p)
            q = b.q if up < 0 else product(conjugate(self.bodies[up].q), b.q)
            lines = [f'<body name="b{i}" pos="{numbers(at)}" quat="{numbers(q)}">',
                     f'<inertial pos="0 0 0" mass="{b.mass!r}" '
                     f'diaginertia="{numbers(b.inertia)}"/>']
            if j is None:
                lines.append("<freejoint/>")
            else:
                axis = "" if j.axis is None else f'axis="{numbers(self.local(i, j.axis, False))}" '
                lines.append(f'<joint type="{"ball" if j.axis is None else "hinge"}" '
                             f'{axis}pos="{numbers(self.local(i, j.p))}"/>')
            if b.half:
                lines.append(f'<geom name="g{i}" type="box" size="{numbers(b.half)}" '
                             f'contype="1" conaffinity="1" {constraint}/>')
            for k in sorted(parent):
                if parent[k].bodies[0] == i:
                    lines += body(k, level + 1)
            return [*lines, "</body>"]

        lines = ["<mujoco>", '<compiler inertiafromgeom="false" angle="radian"/>',
                 # room for eight contacts below every box: more is memory to no use
                 f'<size njmax="{24 * len(self.bodies) if self.friction else 3 * len(loops) + 1}" '
                 f'nconmax="{8 * len(self.bodies)}" nstack="4000000"/>',
                 f'<option gravity="{numbers(self.gravity)}" {option}/>', "<worldbody>"]
        if self.friction:
            lines.append('<geom name="floor" type="plane" size="0 0 1" contype="1" '
                         f'conaffinity="1" {constraint}/>')
        for i in range(len(self.bodies)):
            if i not in parent or parent[i].bodies[0] < 0:
                lines += body(i)
        lines.append("</worldbody>")
        if loops:
            lines.append("<equality>")
            for j in loops:
                one, other = j.bodies[1], j.bodies[0]
                second = f'body2="b{other}" ' if other >= 0 else ""
                lines.append(f'<connect body1="b{one}" {second}'
                             f'anchor="{numbers(self.local(one, j.p))}" {constraint}/>')
            lines.append("</equality>")
        if self.friction:
            # friction of the pairs that can meet, given outright
            pairs = [("floor", "g0", self.friction[0])]
            pairs += [(f"g{i}", f"g{i + 1}", self.friction[1]) for i in range(len(self.bodies) - 1)]
            lines.append("<contact>")
            lines += [f'<pair geom1="{a}" geom2="{b}" friction="{mu!r} {mu!r} 0 0 0" condim="3" '
                      f'{constraint}/>' for a, b, mu in pairs]
            lines.append("</contact>")
        if any(np.any(b.v) for b in self.bodies):
            qpos = [[*b.p, *b.q] for b in self.bodies]
            qvel = [[*b.v, 0, 0, 0] for b in self.bodies]
            lines.append(f'<keyframe><key qpos="{numbers(qpos)}" qvel="{numbers(qvel)}"/>'
                         "</keyframe>")
        files[0] = "\n".join([*lines, "</mujoco>"])
        return files

    # ---- What all are compared by ----

    def energy(self, rows):
        """Kinetic and gravity energy (J) of records T x bodies x 13."""
        mass = np.array([b.mass for b in self.bodies])
        inertia = np.array([b.inertia for b in self.bodies])
        p, q, v, omega = np.split(rows, [3, 7, 10], axis=-1)
        spin = turned(conjugate(q), omega)
        kinetic = 0.5 * ((v**2).sum(-1) @ mass + (inertia * spin**2).sum((-1, -2)))
        return kinetic, -(p @ self.gravity) @ mass

    def gap(self, rows):
        """Largest distance of two anchors of a joint (m), or, of boxes, their deepest overlap."""
        worst = 0.0
        for j in self.joints:
            ends = [j.p if i < 0 else rows[:, i, :3] + turned(rows[:, i, 3:7], self.local(i, j.p))
                    for i in j.bodies]
            worst = max(worst, np.linalg.norm(ends[1] - ends[0], axis=-1).max())
        if self.friction:
            # heights along z: corners of the lower face over the upper face of the box below
            half = np.array([b.half for b in self.bodies])
            corners = np.array([[x, y, -1] for x in (-1, 1) for y in (-1, 1)])
            low = np.stack([(rows[:, :, :3] + turned(rows[:, :, 3:7], half * c))[..., 2]
                            for c in corners]).min(0)
            top = np.stack([(rows[:, :, :3] + turned(rows[:, :, 3:7], -half * c))[..., 2]
                            for c in corners]).max(0)
            worst = max(0.0, -low[:, 0].min(), (top[:, :-1] - low[:, 1:]).max())
        return worst


# ---- The four ----

def read_xsim(path):
    """A scene of xsim without its comments."""
    return json.loads(re.sub(r"(?m)^\s*//.*$", "", path.read_text(encoding="utf-8")))


def from_xsim(source, what, duration, every):
    """Bodies and joints of a scene of xsim, as far as the comparison's scenes use them."""
    bodies, index = [], {"ground": -1}
    for b in source["bodies"]:
        turn = b.get("orientation", {"quaternion": [1, 0, 0, 0]})
        if "quaternion" in turn:
            q = np.array(turn["quaternion"], float)
        else:
            angle = turn["angle"]
            q = about(turn["axis"], np.deg2rad(angle["deg"]) if isinstance(angle, dict) else angle)
        index[b["name"]] = len(bodies)
        bodies.append(Body(b["mass"], b["inertia"], np.array(b["position"], float),
                           q / np.linalg.norm(q)))
    joints = []
    for j in source["joints"]:
        ends = index[j["body1"]], index[j["body2"]]
        if "at" in j:
            p, axis = np.array(j["at"]["position"], float), j["at"].get("axis", [0, 0, 1])
        else:
            p, axis = np.array(j["frame1"]["position"], float), [0, 0, 1]
            if ends[0] >= 0:
                p = bodies[ends[0]].p + turned(bodies[ends[0]].q, p)
        revolute = j["type"] == "revolute"
        joints.append(Joint(ends, p, np.array(axis, float) if revolute else None))
    return Scene(source["name"], what, source["gravity"], bodies, joints, duration, every)


def triple():
    return from_xsim(read_xsim(ROOT / "scenes/paper/triple_pendulum.json"),
                     "triple pendulum (scenes/paper/triple_pendulum.json), 2 s", 2.0, 0.02)


CHAIN_LINKS = 100


def hundred():
    return from_xsim(chain(CHAIN_LINKS),
                     "chain of 100 links on ball joints (scripts/make_chain.py), 1 s", 1.0, 0.02)


def four_bar():
    return from_xsim(read_xsim(ROOT / "scenes/time/four_bar.json"),
                     "four-bar loop (scenes/time/four_bar.json), 5 s", 5.0, 0.02)


STACK = {"boxes": 10, "half": 0.1, "mass": 1.0, "slope": np.deg2rad(2), "friction": (0.5, 0.5)}
SLIDE = {"boxes": 3, "half": 0.1, "mass": 1.0, "speed": 2.0, "friction": (0.2, 0.6)}


def boxes(name, what, make, gravity, v, duration):
    a, m = make["half"], make["mass"]
    inertia = [m * (2 * a)**2 / 6] * 3
    bodies = [Body(m, inertia, np.array([0, 0, a + 2 * a * i]), np.array([1.0, 0, 0, 0]),
                   list(v), [a] * 3) for i in range(make["boxes"])]
    return Scene(name, what, gravity, bodies, [], duration, 0.02, make["friction"])


def stack():
    slope = STACK["slope"]
    return boxes("stack", "ten cubes of 0.2 m stacked on a slope of 2 degrees, at rest, 5 s", STACK,
                 [9.81 * np.sin(slope), 0.0, -9.81 * np.cos(slope)], [0.0, 0.0, 0.0], 5.0)


def slide():
    return boxes("slide", "three stacked cubes slide to rest from 2 m/s, 2 s", SLIDE,
                 [0.0, 0.0, -9.81], [SLIDE["speed"], 0.0, 0.0], 2.0)


SCENES = {"triple": triple, "chain": hundred, "four_bar": four_bar, "stack": stack, "slide": slide}
