"""Bodies and rods of a recorded instant as solids (solid.py)."""
import numpy as np

from . import rods, solid


def orientation(entry):
    """R of a resolved {"quaternion"} or {"axis", "angle"}."""
    if "quaternion" in entry:
        return solid.rotation(entry["quaternion"] / np.linalg.norm(entry["quaternion"]))
    axis = np.array(entry["axis"]) / np.linalg.norm(entry["axis"])
    return solid.rotation([np.cos(entry["angle"] / 2), *(np.sin(entry["angle"] / 2) * axis)])


def shape_solid(shape, place, R, color):
    """A shape of a body whose frame is at `place`, turned by R; None of planes."""
    p = place + R @ np.array(shape.get("position", (0, 0, 0)))
    R = R @ orientation(shape.get("orientation", {"quaternion": (1, 0, 0, 0)}))
    kind = shape["type"]
    if kind == "sphere":
        return solid.sphere(shape["radius"], p, color)
    if kind == "capsule":
        return solid.capsule(shape["radius"], shape["half_length"], p, R, color)
    if kind == "cylinder":
        return solid.cylinder(shape["radius"], shape["half_length"], p, R, color)
    if kind == "box":
        return solid.box(np.array(shape["half_extents"]), p, R, color)
    if kind == "torus":
        return solid.torus(shape["major_radius"], shape["minor_radius"], p, R, color)
    return None


class Scene:
    """Of a case whose bodies and rods are recorded."""

    def __init__(self, case):
        self.parameters = case.resolved
        self.time = case["time"]
        self.names = case.names("bodies")
        self.position, self.quaternion = case["bodies/position"], case["bodies/orientation"]
        self.nodes = {rod["name"]: case[f"rods/{rod['name']}/position"]
                      for rod in self.parameters["rods"]}
        # Recorded are centres of mass; shapes are placed from the body's own origin.
        self.offset = [self.rotation(0, k).T @ (self.position[0, k] - body["position"])
                       for k, body in enumerate(self.parameters["bodies"])]

    def record(self, t):
        return int(np.argmin(abs(self.time - t)))

    def rotation(self, record, body):
        return solid.rotation(self.quaternion[record, body])

    def origin(self, record, body):
        return self.position[record, body] - self.rotation(record, body) @ self.offset[body]

    def bodies(self, record, color_of):
        """Solids of those bodies that color_of(name, shape) gives a colour."""
        found = []
        for k, body in enumerate(self.parameters["bodies"]):
            for shape in body["shapes"]:
                color = color_of(body["name"], shape)
                if color is not None:
                    made = shape_solid(shape, self.origin(record, k), self.rotation(record, k),
                                       color)
                    found += [made] if made else []
        return found

    def rods(self, record, color, pieces=10):
        return [solid.tube(rods.centre_line(self.nodes[rod["name"]][record],
                                            rod["discretization"], pieces),
                           rod["section"]["radius"], color, sides=10)
                for rod in self.parameters["rods"]]
