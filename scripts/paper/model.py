"""What an experiment hands back: claims with verdicts, figures, tables."""
from dataclasses import dataclass, field

HOLDS, PART, FAILS, OPEN = "holds", "holds in part", "does not hold", "not judged"


def verdict(*conditions):
    """HOLDS if all hold, FAILS if none does, PART otherwise."""
    if all(conditions):
        return HOLDS
    return PART if any(conditions) else FAILS


@dataclass
class Claim:
    """A sentence of the paper, and what came out. `parameters` says what was run."""
    section: str
    quote: str
    measured: str
    verdict: str
    parameters: str


@dataclass
class Figure:
    """A drawn figure; `name` is that of its files."""
    name: str
    caption: str
    figure: object


@dataclass
class Table:
    name: str
    title: str
    header: list
    rows: list
    note: str = ""


@dataclass
class Outcome:
    """`alarms`: what has to be said loudly, such as a scene that is missing."""
    text: str = ""
    alarms: list = field(default_factory=list)
    claims: list = field(default_factory=list)
    figures: list = field(default_factory=list)
    tables: list = field(default_factory=list)

    def claim(self, section, quote, measured, judged, parameters):
        self.claims.append(Claim(section, quote, measured, judged, parameters))

    def figure(self, name, caption, figure):
        self.figures.append(Figure(name, caption, figure))

    def table(self, name, title, header, rows, note=""):
        self.tables.append(Table(name, title, header, rows, note))


class SceneMissing(Exception):
    """An experiment's scene is not there."""
