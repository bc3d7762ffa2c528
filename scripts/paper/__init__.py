"""The experiments of Tobin & Rucker (arXiv:2608.23606) as one command: `make paper`.

  __main__.py    command line: runs experiments, keeps what each found, writes the report
  registry.py    the experiments, in the paper's order
  model.py       what an experiment hands back: claims with verdicts, figures, tables
  runs.py        sweeps of xsim on several cores, resumable; their results and processor times
  style.py       colours, type, axes shared by the figures
  solid.py       shaded pictures of rods and bodies
  report.py      report.md and report.html from what was kept
  fig*.py, bowling.py, tables.py    one experiment each

An experiment is a module with
  NAME, TITLE, SECTION
  REDUCED                whether the quick version runs less than the full one
  sweeps(lab)            {name: Sweep}, queued at once, so that all cores are busy
  evaluate(lab, done)    a model.Outcome, from the sweeps named above once they have ended
No numbers but the paper's own and those that choose what is run are written in them: whatever is
said of xsim is computed from results.
"""
