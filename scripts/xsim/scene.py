"""What a result's scene says of how things look: solids of bodies, places of joints, sections of rods.

All places are relative to what a result records: the centre of mass and the body's axes, or a node of
a rod. Solids are dictionaries: type, its sizes in m, position (3), orientation (w, x, y, z). A body
without shapes is drawn as the box that has its mass and inertia ("stand_in": True).
"""
import numpy as np

from . import rotation

VOLUME = {
    "sphere": lambda s: 4 / 3 * np.pi * s["radius"]**3,
    "capsule": lambda s: np.pi * s["radius"]**2 * (2 * s["half_length"] + 4 / 3 * s["radius"]),
    "cylinder": lambda s: np.pi * s["radius"]**2 * 2 * s["half_length"],
    "box": lambda s: 8 * np.prod(s["half_extents"]),
    "torus": lambda s: 2 * np.pi**2 * s["major_radius"] * s["minor_radius"]**2,
}


def center_of_mass(body, materials):
    """In the body's frame: as given, else of the shapes by density, or of equal density."""
    if "center_of_mass" in body:
        return np.array(body["center_of_mass"], dtype=float)
    solids = [s for s in body.get("shapes", []) if s["type"] in VOLUME]
    if not solids:
        return np.zeros(3)
    density = [materials.get(s.get("material"), {}).get("density", 0) for s in solids]
    if not all(density):
        density = [1.0] * len(solids)
    weight = np.array([d * VOLUME[s["type"]](s) for d, s in zip(density, solids)])
    return weight @ np.array([s["position"] for s in solids], dtype=float) / weight.sum()


def inertia_box(body):
    """The box of even density with the body's mass and inertia, or None."""
    if not body.get("mass") or "inertia" not in body:
        return None
    inertia = np.array(body["inertia"], dtype=float)
    moment, axes = (inertia, np.eye(3)) if inertia.ndim == 1 else np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0:
        axes = axes * [1, 1, -1]
    # I1 = m (b^2 + c^2)/3 of half edges a, b, c.
    squares = 1.5 * (moment.sum() - 2 * moment) / body["mass"]
    edges = np.sqrt(np.maximum(squares, 0))
    edges = np.maximum(edges, 0.02 * edges.max())  # of a thin rod, some thickness to be seen
    return {"type": "box", "half_extents": edges.tolist(), "position": [0.0, 0.0, 0.0],
            "orientation": rotation.from_matrix(axes).tolist(), "stand_in": True}


def solids(body, materials):
    """Of a body of the scene, placed relative to its centre of mass in its axes."""
    center, found = center_of_mass(body, materials), []
    for shape in body.get("shapes", []):
        sizes = {key: value for key, value in shape.items()
                 if key in ("radius", "half_length", "half_extents", "major_radius",
                            "minor_radius")}
        found.append({"type": shape["type"], **sizes,
                      "position": (np.array(shape["position"], dtype=float) - center).tolist(),
                      "orientation": rotation.from_scene(shape.get("orientation")).tolist()})
    stand_in = None if found else inertia_box(body)
    return [stand_in] if stand_in else found


def section(rod):
    """Half widths along d1 and d2, and whether the outline is round: {"round", "half"}."""
    given = rod.get("section", {})
    if "radius" in given:
        return {"round": True, "half": [given["radius"]] * 2}
    if "width" in given:
        return {"round": False, "half": [given["width"] / 2, given["height"] / 2]}
    if "contact_radius" in rod:
        return {"round": True, "half": [rod["contact_radius"]] * 2}
    # Only numbers are given: the ellipse with this area and ratio of second moments.
    area, (i1, i2, _) = given["area"], given["second_moments"]
    ratio = np.sqrt(i1 / i2) if i1 > 0 and i2 > 0 else 1.0  # height over width
    half = np.sqrt(area / np.pi / ratio)
    return {"round": True, "half": [half, half * ratio]}


def end_of_joint(joint, run):
    """Where frame 2 of a joint stands: (kind, index, node, place, rotation), kind "body", "rod" or
    "ground", place and rotation in the frame of what it is fixed to; None where its poses are not
    recorded."""
    on = joint["body2"]
    if on == "ground":
        kind, index, node = "ground", 0, 0
        p, q, offset = np.zeros(3), rotation.from_scene(None), np.zeros(3)
    elif isinstance(on, dict):
        kind, index = "rod", run.rods.index(on["rod"])
        rod = run.rods[index]
        if "position" not in rod.fields():
            return None
        node = {"start": 0, "end": len(rod.arc_length) - 1}.get(on["node"], on["node"])
        p, q, offset = rod.position[0, node], rod.orientation[0, node], np.zeros(3)
    else:
        kind, index, node = "body", run.bodies.index(on), 0
        if "position" not in run.bodies.fields():
            return None
        p, q = run.bodies.position[0, index], run.bodies.orientation[0, index]
        offset = center_of_mass(run.scene["bodies"][index], run.scene.get("materials", {}))
    if "at" in joint:  # a pose in the world at t = 0
        frame, back = joint["at"], q * rotation.CONJUGATE
        place = rotation.rotate(back, np.array(frame.get("position", [0, 0, 0]), dtype=float) - p)
        turn = rotation.multiply(back, frame_rotation(frame))
    else:
        frame = joint.get("frame2", {})
        place = np.array(frame.get("position", [0, 0, 0]), dtype=float) - offset
        turn = frame_rotation(frame)
    return kind, index, node, place, turn


def frame_rotation(frame):
    if "axis" in frame:
        return rotation.from_axis(frame["axis"])
    return rotation.from_scene(frame.get("orientation"))
