"""What goes wrong for reasons that a user can mend; the message says where and how."""


class Problem(Exception):
    """Its text is place, cause, remedy; the command line prints it as it is."""
