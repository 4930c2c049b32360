"""What ends ferry-report with one sentence."""


class Problem(Exception):
    """Its text is what the user is told; not a defect of the program."""


def needed(module, package):
    """The module of that name. A Problem that names the Debian package if it
    is not installed."""
    try:
        return __import__(module)
    except ImportError:
        raise Problem("Python's %s is missing: install it with "
                      "`apt-get install %s`" % (module, package)) from None
