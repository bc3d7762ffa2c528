"""Draws a film of a result: bodies as their solids, rods as their centre lines, contacts as dots.

The format is that of the output's name: .mp4 (needs ffmpeg) or .gif. A film shows records, the nearest
one at each of its frames, and nothing between them. For a scene to turn about and look at closely there
is the command html.
"""
import shutil
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (after the choice of a backend without a display)
import numpy as np  # noqa: E402
from matplotlib.animation import FFMpegWriter, PillowWriter  # noqa: E402
from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # noqa: E402

from . import solids  # noqa: E402
from .errors import Problem  # noqa: E402
from .rotation import rotate  # noqa: E402
from .scene import solids as solids_of  # noqa: E402

VIEWS = {"iso": (-60, 25), "front": (-90, 0), "side": (0, 0), "top": (-90, 90)}
LEAST, MOST, USUAL = 3, 30, 10  # s a film lasts at least and at most without --speed; else this


def options(parser):
    parser.add_argument("-o", "--output", help="default: the result's name with .mp4, or .gif where "
                        "there is no ffmpeg")
    parser.add_argument("--speed", type=float, help="simulated seconds a second; default: 1, or what "
                        f"makes the film last {USUAL} s where 1 gives less than {LEAST} s or more "
                        f"than {MOST} s")
    parser.add_argument("--fps", type=float, default=25, help="frames a second (25)")
    parser.add_argument("--view", default="iso", help="iso, front (along y), side (against x), top, or "
                        "AZIMUTH,ELEVATION in degrees")
    parser.add_argument("--size", default="960x720", help="pixels (960x720)")


def chosen_view(word):
    if word in VIEWS:
        return VIEWS[word]
    try:
        azimuth, elevation = (float(part) for part in word.split(","))
        return azimuth, elevation
    except ValueError:
        raise Problem(f"--view {word}: is neither {', '.join(VIEWS)} nor AZIMUTH,ELEVATION") from None


def chosen_size(word):
    try:
        width, height = (int(part) for part in word.split("x"))
    except ValueError:
        width = height = 0
    if min(width, height) < 16:
        raise Problem(f"--size {word}: is not WIDTHxHEIGHT in pixels, of at least 16")
    return width // 2 * 2, height // 2 * 2  # MP4 wants even numbers


def chosen_writer(output, fps):
    if output.suffix == ".gif":
        return PillowWriter(fps=fps)
    if output.suffix != ".mp4":
        raise Problem(f"{output}: a film ends in .mp4 or .gif")
    if shutil.which("ffmpeg") is None:
        raise Problem(f"{output}: MP4 needs ffmpeg (apt-get install ffmpeg), GIF does not: "
                      f"-o {output.with_suffix('.gif')}")
    # yuv420p: what every player shows.
    return FFMpegWriter(fps=fps, extra_args=["-pix_fmt", "yuv420p", "-crf", "18"])


def shown_records(time, speed, fps):
    """The nearest record of each frame."""
    length = time[-1] - time[0]
    if speed is None:
        speed = 1.0 if LEAST <= length <= MOST or length == 0 else length / USUAL
    if speed <= 0 or fps <= 0:
        raise Problem("--speed and --fps have to be above 0")
    at = time[0] + np.arange(0, max(1, int(np.floor(length / speed * fps)) + 1)) * speed / fps
    right = np.clip(np.searchsorted(time, at), 1, max(1, len(time) - 1))
    if len(time) == 1:
        return np.zeros(len(at), dtype=int)
    return np.where(at - time[right - 1] < time[right] - at, right - 1, right)


class Stage:
    """What is drawn, and how it looks at a record."""

    def __init__(self, run, axes):
        self.axes, self.run, scene = axes, run, run.scene
        self.bodies, self.rods, places = [], [], []
        if "position" in run.bodies.fields():
            self.position, self.orientation = run.bodies.position, run.bodies.orientation
            entries = [solids_of(body, scene.get("materials", {}))
                       for body in scene.get("bodies", [])]
            for i, parts in enumerate(entries):
                solid = [part for part in parts if part["type"] != "plane"]
                if solid:
                    meshes = [solids.mesh(part) for part in solid]
                    reach = max(np.linalg.norm(v, axis=1).max() for v, _ in meshes)
                    places += [self.position[:, i] - reach, self.position[:, i] + reach]
                    self.bodies.append((i, meshes))
                elif not parts:
                    places.append(self.position[:, i])
        for rod in run.rods:
            if "position" in rod.fields():
                self.rods.append(rod.centre_line()[1])
                places.append(self.rods[-1].reshape(-1, 3))
        if not places:
            raise Problem(f"{run.path}: has neither bodies nor rods to draw; output.fields of the "
                          f"scene say what is recorded")
        places = np.concatenate(places)
        low, high = np.nanmin(places, axis=0), np.nanmax(places, axis=0)
        half = 0.5 * (high - low)
        half = np.maximum(half, 0.15 * half.max() or 1.0)
        self.low, self.high = 0.5 * (low + high) - half, 0.5 * (low + high) + half
        self._set_up(entries if "position" in run.bodies.fields() else [])

    def _set_up(self, entries):
        axes = self.axes
        axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]),
                 zlim=(self.low[2], self.high[2]), xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
        axes.set_box_aspect(self.high - self.low)
        for i, parts in enumerate(entries):
            for part in parts:
                if part["type"] == "plane":
                    self._draw_plane(i, part)
        colors = plt.get_cmap("tab10")
        self.drawn = []
        for i, meshes in self.bodies:
            for vertices, faces in meshes:
                drawn = Poly3DCollection([], facecolor=colors(i % 10), edgecolor="none")
                axes.add_collection3d(drawn)
                self.drawn.append((i, vertices, faces, drawn))
        self.lines = [axes.plot([], [], [], color=colors((len(entries) + k) % 10), linewidth=3,
                                solid_capstyle="round")[0] for k in range(len(self.rods))]
        self.touching = axes.plot([], [], [], "o", color="crimson", markersize=4)[0]
        self.title = axes.set_title("")

    def _draw_plane(self, i, part):
        """A plane that is level, or nearly, is drawn as the floor of the box that is shown."""
        normal = rotate(self.orientation[0, i], rotate(np.array(part["orientation"]),
                                                       np.array([0.0, 0, 1])))
        point = self.position[0, i] + rotate(self.orientation[0, i], np.array(part["position"]))
        if abs(normal[2]) < 0.2:
            return
        x, y = np.meshgrid([self.low[0], self.high[0]], [self.low[1], self.high[1]])
        z = point[2] - ((x - point[0]) * normal[0] + (y - point[1]) * normal[1]) / normal[2]
        self.axes.plot_surface(x, y, z, color="0.8", alpha=0.5, linewidth=0, shade=False)

    def show(self, record):
        light = np.array([0.3, -0.5, 0.81])
        for i, vertices, faces, drawn in self.drawn:
            placed = rotate(self.orientation[record, i], vertices) + self.position[record, i]
            triangles = placed[faces]
            normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
            length = np.linalg.norm(normal, axis=1)
            bright = 0.65 + 0.35 * (normal @ light) / np.where(length > 0, length, 1)
            color = np.array(plt.get_cmap("tab10")(i % 10))
            drawn.set_verts(triangles)
            drawn.set_facecolor(np.concatenate([np.clip(bright, 0, 1)[:, None] * color[:3],
                                                np.full((len(faces), 1), 0.9)], axis=1))
        for points, line in zip(self.rods, self.lines):
            line.set_data_3d(*points[record].T)
        contacts = self.run.contacts(record)
        self.touching.set_data_3d(*(contacts["point"].T if contacts else np.zeros((3, 0))))
        self.title.set_text(f"t = {self.run.time[record]:.4g} s")


def run(result, arguments):
    default = result.beside(".mp4" if shutil.which("ffmpeg") else ".gif")
    output = Path(arguments.output or default)
    writer = chosen_writer(output, arguments.fps)
    width, height = chosen_size(arguments.size)
    azimuth, elevation = chosen_view(arguments.view)
    records = shown_records(result.time, arguments.speed, arguments.fps)
    figure = plt.figure(figsize=(width / 100, height / 100), dpi=100)
    axes = figure.add_axes([0, 0, 1, 0.95], projection="3d", proj_type="ortho", azim=azimuth,
                           elev=elevation)
    stage = Stage(result, axes)
    with writer.saving(figure, output, dpi=100):
        for count, record in enumerate(records):
            stage.show(record)
            writer.grab_frame()
            if sys.stderr.isatty():
                print(f"\rframe {count + 1} of {len(records)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    plt.close(figure)
    return [output]
