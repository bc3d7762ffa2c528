"""Twist and writhe (turns), their sum, the link, and the least distance of strands over the thickness
of a rod that winds around itself; what they are: curve.py."""


def options(parser):
    parser.add_argument("rod", nargs="?", help="name of the rod; default: the first")
    parser.add_argument("--every", type=int, default=10, metavar="N",
                        help="a line every so many records (10)")


def run(result, arguments):
    rod = result.rods[arguments.rod if arguments.rod is not None else 0] if result.rods.names \
        else result.rods[arguments.rod or "rod"]
    contacts = result.n_contacts()
    print("     t     twist    writhe      link  distance  contacts")
    for k, tw, wr, gap in zip(*rod.link(max(1, arguments.every))):
        print(f"{result.time[k]:6.2f} {tw:9.5f} {wr:9.5f} {tw + wr:9.5f}  {gap:8.5f}  "
              f"{contacts[k]:8.0f}")
