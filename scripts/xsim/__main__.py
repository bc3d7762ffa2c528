"""The command line: python3 -m xsim COMMAND RESULT.h5; a module a command."""
import argparse
import importlib
import sys

# Each has a module of its name, with options(parser) and run(result, arguments), which returns the
# paths of the files that it has written.
COMMANDS = {
    "info": "says what a result holds",
    "plot": "draws what moved, energy, residuals, paths, rods over time (PNG, PDF, SVG)",
    "animate": "draws a film (MP4 or GIF)",
    "html": "writes one page to look at in a browser, without a network",
    "paraview": "writes files that ParaView opens, with time",
    "link": "prints twist, writhe and least distance of a rod that winds around itself",
}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m xsim", description=__doc__.split(":")[0])
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        if name not in arguments:  # not to load what this command does not need
            commands.add_parser(name, help=summary)
            continue
        module = importlib.import_module(f".{name}", __package__)
        command = commands.add_parser(name, help=summary, description=module.__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
        command.add_argument("result", help="a result (.h5), or the .partial of a running run")
        module.options(command)
        command.set_defaults(module=module)
    return parser.parse_args(arguments)


def main(arguments=None):
    try:
        from . import Problem, open as open_result  # pylint: disable=import-outside-toplevel

        parsed = parse(sys.argv[1:] if arguments is None else arguments)
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == "xsim":
            raise
        print(f"xsim: {error} in {sys.executable}; /usr/bin/python3 -m xsim is Debian's Python, for which "
              f"the package python3-{error.name} has it", file=sys.stderr)
        return 2
    try:
        with open_result(parsed.result) as result:
            written = parsed.module.run(result, parsed)
    except (Problem, OSError) as error:
        print(f"xsim {parsed.command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1
    for path in written or ():
        print(f"{parsed.command}: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
