"""What scripts and measurements need beside Python's modules, and what they say where it is missing."""
import os
import shutil
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Ends quietly, as other commands do, when what reads its output does not want more of it (| head).
signal.signal(signal.SIGPIPE, signal.SIG_DFL)

XSIM = os.environ.get("XSIM", str(ROOT / "build/xsim"))


def program(path=XSIM, made_by="make", named_by="XSIM", status=2):
    """Ends the script with that exit status unless there is such a program."""
    if shutil.which(str(path)) is None:
        script = Path(sys.argv[0])
        script = script.parent if script.stem == "__main__" else script
        print(f"{script.name}: {path}: there is no such program; '{made_by}' builds it"
              + (f", or {named_by} in the environment names it" if named_by else ""), file=sys.stderr)
        sys.exit(status)
