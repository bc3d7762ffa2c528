"""Colours, type and axes that the figures share; the paper's colours where it names them."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (after the choice of a backend without a display)
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: E402

COLUMN, PAGE = 3.4, 7.0  # inches: widths of a column and of a page of the paper

# Section 9.4: rigid purple, linear 120 red and 250 blue, quadratic green, cubic orange.
PURPLE, RED, BLUE, GREEN, ORANGE, PINK, GRAY = (
    "#7b4fa3", "#c8312f", "#2f6db5", "#3a8f4d", "#e08a1e", "#d966a8", "#6f6f6f")
DISCRETIZATION = {"rigid_chain": PURPLE, "linear": RED, "quadratic": GREEN, "cubic": ORANGE}
LABEL = {"rigid_chain": "Rigid body", "linear": "Linear", "quadratic": "Quadratic",
         "cubic": "Cubic"}
MARKER = {"rigid_chain": "s", "linear": "o", "quadratic": "^", "cubic": "D"}

plt.rcParams.update({
    "font.family": "STIXGeneral", "mathtext.fontset": "stix", "font.size": 9,
    "axes.labelsize": 9, "axes.titlesize": 9, "legend.fontsize": 8, "xtick.labelsize": 8,
    "ytick.labelsize": 8, "axes.linewidth": 0.6, "lines.linewidth": 1.1, "lines.markersize": 3.5,
    "xtick.direction": "in", "ytick.direction": "in", "xtick.major.width": 0.6,
    "ytick.major.width": 0.6, "xtick.minor.width": 0.4, "ytick.minor.width": 0.4,
    "xtick.top": True, "ytick.right": True, "axes.grid": True, "grid.color": "#d9d9d9",
    "grid.linewidth": 0.4, "legend.frameon": True, "legend.framealpha": 0.9,
    "legend.edgecolor": "none", "legend.borderpad": 0.3, "legend.handlelength": 1.6,
    "figure.dpi": 100, "savefig.dpi": 220, "savefig.bbox": "tight", "savefig.pad_inches": 0.03,
    "pdf.fonttype": 42, "agg.path.chunksize": 20000,
})


def bare(axes):
    """Of a picture: no axes, equal scales."""
    axes.set_aspect("equal")
    axes.axis("off")


def plain_ticks(axis):
    """Of a logarithmic axis over few decades: 1, 2, 5, 10, ..."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axis.set_minor_locator(NullLocator())


def number(value, digits=2):
    """1.23e-05 as 1.2 x 10^-5 in plain text; 0.0123 and 123 as they are."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if value != value:
        return "nan"
    if 1e-3 <= abs(value) < 1e4:
        text = f"{value:.{digits}g}"
        return f"{float(text):g}" if "e" in text else text
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    exponent = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa}·10{exponent}"
