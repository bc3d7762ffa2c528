"""report.md and report.html from what experiments left in results/*.json."""
import html
import json
import re

from . import registry
from .model import FAILS, HOLDS, OPEN, PART

SIGN = {HOLDS: "✓", PART: "◐", FAILS: "✗", OPEN: "–"}
KIND = {HOLDS: "holds", PART: "part", FAILS: "fails", OPEN: "open"}
TITLE = "The paper's experiments, run by xsim"
ABOUT = (
    "Every experiment of Tobin and Rucker, *Orientation in Extended Position-Based Dynamics: "
    "Application to Rigid Bodies and Cosserat Rods* (arXiv:2608.23606), as `make paper` runs it. "
    "Sentences in quotation marks are the paper's; beside each stands what was measured and under "
    "which parameters. Where the paper states no parameters, ours stand in the scene's file with "
    "the reason. Verdicts are computed from the results: a claim that did not come out under these "
    "parameters is said not to hold, and nothing was tuned until it did.")


def load(folder):
    """Kept outcomes in the registry's order."""
    found = []
    for experiment in registry.EXPERIMENTS:
        path = folder / "results" / f"{experiment.NAME}.json"
        if path.exists():
            found.append(json.loads(path.read_text(encoding="utf-8")))
    return found


def claims_of(outcomes):
    return [(outcome, claim) for outcome in outcomes for claim in outcome["claims"]]


def mode(outcome):
    made = outcome["machine"]
    how = {"full": "full version", "quick": "QUICK VERSION: fewer or shorter runs than the full "
           "one"}[outcome["mode"]]
    return (f"{how}; run on {made['date']}, {made['processor']} ({made['cores']} cores), commit "
            f"{made['commit'][:12]}")


def trouble(outcome):
    """What has to be said loudly."""
    return ([outcome["message"]] if outcome["status"] != "done" else []) + outcome["alarms"]


def loud(outcomes):
    """The same of all experiments, with those that nothing is kept of."""
    ran = {o["name"] for o in outcomes}
    return ([f"{o['title']}: {line}" for o in outcomes for line in trouble(o)] +
            [f"{e.TITLE}: not run" for e in registry.EXPERIMENTS if e.NAME not in ran])


def counts(outcomes):
    claims = [claim for _, claim in claims_of(outcomes)]
    said = [f"{sum(c['verdict'] == v for c in claims)} {text}" for v, text in
            ((HOLDS, "hold"), (PART, "hold in part"), (FAILS, "do not hold"),
             (OPEN, "cannot be judged"))]
    return f"{len(claims)} claims: " + ", ".join(said) + "."


def modes(outcomes):
    """Which experiments are from the full and which from the quick version."""
    lines = []
    for name, text in (("full", "Full version"), ("quick", "Quick version")):
        of = [o["title"] for o in outcomes if o["mode"] == name and o["status"] == "done"]
        if of:
            lines.append(f"{text}: {'; '.join(of)}.")
    return lines


def with_new_parameters(claims):
    """(claim, whether its parameters differ from those of the one before)."""
    return [(c, k == 0 or c["parameters"] != claims[k - 1]["parameters"])
            for k, c in enumerate(claims)]


# ---- Markdown --------------------------------------------------------------------------
def row(cells):
    return "| " + " | ".join(str(c).replace("|", "\\|").replace("\n", " ") for c in cells) + " |"


def markdown_table(header, rows):
    return "\n".join([row(header), row(["---"] * len(header))] + [row(r) for r in rows])


def markdown(outcomes):
    parts = [f"# {TITLE}", ABOUT, counts(outcomes), "\n".join(f"- {m}" for m in modes(outcomes)),
             *(f"> **{line}**" for line in loud(outcomes)),
             "## Claims in short",
             markdown_table(["", "section", "the paper", "measured"],
                            [(f"{SIGN[c['verdict']]} {c['verdict']}", c["section"],
                              f"“{c['quote']}”", c["measured"])
                             for _, c in claims_of(outcomes)])]
    for o in outcomes:
        parts += [f"## {o['title']}", f"*{mode(o)}*"]
        parts += [f"> **{line}**" for line in trouble(o)]
        parts += [o["text"]] if o["text"] else []
        for f in o["figures"]:
            parts += [f"![{f['caption']}](figures/{f['name']}.png)", f"*{f['caption']}* "
                      f"([PDF](figures/{f['name']}.pdf))"]
        for c, new in with_new_parameters(o["claims"]):
            parts += [f"Parameters: {c['parameters']}"] if new else []
            parts.append(f"- {SIGN[c['verdict']]} **{c['verdict']}** ({c['section']}) "
                         f"“{c['quote']}”  \n  Measured: {c['measured']}")
        for t in o["tables"]:
            parts += [f"**{t['title']}**", markdown_table(t["header"], t["rows"])]
            parts += [t["note"]] if t["note"] else []
    return "\n\n".join(parts) + "\n"


# ---- HTML ------------------------------------------------------------------------------
STYLE = """
:root { --ink: #1b1b1b; --soft: #5c5c5c; --line: #dcdcdc; --paper: #fff; --panel: #f6f6f4;
        --holds: #1f7a3a; --part: #9a6a00; --fails: #b3261e; --open: #666; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e3; --soft: #a5a29d; --line: #3a3a3a;
  --paper: #161616; --panel: #1f1f1f; --holds: #6bc985; --part: #e0b050; --fails: #ff8a80;
  --open: #aaa; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 5rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.55 Charter, "Bitstream Charter", Georgia, serif; }
h1 { font-size: 1.9rem; line-height: 1.2; } h2 { font-size: 1.35rem; margin-top: 3.5rem;
  padding-top: 1rem; border-top: 1px solid var(--line); }
nav { columns: 2; column-gap: 2rem; font-size: .92rem; } nav a { display: block; }
a { color: inherit; text-decoration-color: var(--soft); text-underline-offset: .15em; }
code { font-size: .86em; background: var(--panel); padding: .1em .3em; border-radius: 3px; }
figure { margin: 1.5rem 0; } figure img { max-width: 100%; height: auto; background: #fff;
  padding: .5rem; border-radius: 4px; } figcaption, .made, .note { color: var(--soft);
  font-size: .9rem; }
.tables { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; margin: 1rem 0;
  font-variant-numeric: tabular-nums; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0;
  border-bottom: 1px solid var(--line); } th { border-bottom: 2px solid var(--ink); }
.claim { margin: 1.1rem 0; padding: .1rem 0 .1rem 1rem; border-left: 4px solid var(--c); }
.claim p { margin: .2rem 0; } .claim .small { font-size: .92rem; color: var(--soft); }
.v { color: var(--c); font-weight: 600; white-space: nowrap; }
.holds { --c: var(--holds); } .part { --c: var(--part); } .fails { --c: var(--fails); }
.open { --c: var(--open); }
td a { text-decoration: none; } td a:hover { text-decoration: underline; }
td.s { white-space: nowrap; }
.loud { background: var(--fails); color: var(--paper); padding: .6rem 1rem; font-weight: 700; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
"""


def rich(text):
    """Escaped, with `code` and *emphasis*."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(str(text), quote=False))
    return re.sub(r"(?<!\w)\*([^*]+)\*(?!\w)", r"<em>\1</em>", text)


def html_table(table):
    head = "".join(f"<th>{rich(cell)}</th>" for cell in table["header"])
    body = "".join("<tr>" + "".join(f"<td>{rich(cell)}</td>" for cell in r) + "</tr>\n"
                   for r in table["rows"])
    note = f"<p class=note>{rich(table['note'])}</p>" if table.get("note") else ""
    return (f"<div class=tables><table><caption>{rich(table['title'])}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>{note}")


def html_claim(c, new):
    said = f"<p class=note>Parameters: {rich(c['parameters'])}</p>" if new else ""
    return (f"{said}<div class='claim {KIND[c['verdict']]}'><p><span class=v>{SIGN[c['verdict']]} "
            f"{c['verdict']}</span> <span class=small>{rich(c['section'])}</span></p>"
            f"<p>“{rich(c['quote'])}”</p><p>Measured: {rich(c['measured'])}</p></div>")


def html_experiment(o):
    parts = [f"<h2 id={o['name']}>{rich(o['title'])}</h2><p class=made>{rich(mode(o))}</p>"]
    parts += [f"<p class=loud>{rich(line)}</p>" for line in trouble(o)]
    parts += [f"<p>{rich(p)}</p>" for p in o["text"].split("\n\n") if p]
    for f in o["figures"]:
        parts.append(f"<figure><img src='figures/{f['name']}.png' alt='{html.escape(f['name'])}' "
                     f"loading=lazy><figcaption>{rich(f['caption'])} <a href='figures/{f['name']}"
                     ".pdf'>PDF</a></figcaption></figure>")
    parts += [html_claim(c, new) for c, new in with_new_parameters(o["claims"])]
    parts += [html_table(t) for t in o["tables"]]
    return "\n".join(parts)


def html_page(outcomes):
    summary = "".join(
        f"<tr class={KIND[c['verdict']]}><td class=v>{SIGN[c['verdict']]} {c['verdict']}</td>"
        f"<td class=s>{rich(c['section'])}</td><td>“{rich(c['quote'])}”</td>"
        f"<td><a href='#{o['name']}'>{rich(c['measured'])}</a></td></tr>\n"
        for o, c in claims_of(outcomes))
    cries = "".join(f"<p class=loud>{rich(line)}</p>" for line in loud(outcomes))
    said = "".join(f"<p class=made>{rich(line)}</p>" for line in modes(outcomes))
    contents = "".join(f"<a href='#{o['name']}'>{rich(o['title'])}</a>" for o in outcomes)
    return (f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{TITLE}</title>"
            "<meta name=viewport content='width=device-width, initial-scale=1'>"
            f"<style>{STYLE}</style></head><body><h1>{TITLE}</h1><p>{rich(ABOUT)}</p>{cries}"
            f"<p><strong>{counts(outcomes)}</strong></p>{said}<nav>{contents}</nav>"
            "<h2>Claims in short</h2><div class=tables><table><thead><tr><th></th><th>section</th>"
            "<th>the paper</th><th>measured</th></tr></thead><tbody>\n"
            f"{summary}</tbody></table></div>\n"
            + "\n".join(html_experiment(o) for o in outcomes) + "</body></html>\n")


def write(folder):
    outcomes = load(folder)
    (folder / "report.md").write_text(markdown(outcomes), encoding="utf-8")
    (folder / "report.html").write_text(html_page(outcomes), encoding="utf-8")
    return outcomes
