"""ferry-report's command line: docs/report.md."""
import argparse
import os
import stat
import sys

import advice
import page
import reading
import records
import remarks
import sarif
from problem import Problem
from source import Sources

HERE = os.path.dirname(os.path.abspath(__file__))


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Problem("%s (ferry-report --help lists the options)" % message)


def _parser(version):
    parser = _Parser(
        prog="ferry-report", allow_abbrev=False,
        description="Shows what a run on the simulated GPU tells: as a page of "
        "HTML, as advice in the terminal, or for editors. RUN.json comes from "
        "`ferry-sim --per-line --json`.")
    parser.add_argument("run", metavar="RUN.json")
    parser.add_argument("-o", dest="page", metavar="FILE.html",
                        help="write the page")
    parser.add_argument("--text", action="store_true",
                        help="print the advice")
    parser.add_argument("--sarif", metavar="FILE.sarif",
                        help="write findings and missed remarks as SARIF 2.1.0")
    parser.add_argument("--compare", metavar="OTHER.json",
                        help="show another run beside this one")
    parser.add_argument("--remarks", nargs="+", default=[], metavar="FILE.yaml",
                        action="extend", help="optimisation records, of "
                        "-fsave-optimization-record")
    parser.add_argument("--records", metavar="FILE.yaml", help="write those "
                        "again, with hotness, sectors and times of the run")
    parser.add_argument("--checks", nargs="+", default=[], metavar="FILE.json",
                        action="extend", help="what ferry-check has found, of "
                        "FERRY_CHECK_FILE")
    parser.add_argument("--source", metavar="DIR", help="the folder that the "
                        "program's files are in; otherwise this one")
    parser.add_argument("--gpu", metavar="FILE.json", help="the description of "
                        "the GPU, if it is not a built-in one")
    parser.add_argument("--title", help="what the page calls the run")
    parser.add_argument("--version", action="version",
                        version="ferry-report " + version)
    return parser


def _outputs(options):
    """Checks that nothing is asked for twice, or written over what is read."""
    files = [f for f in (options.page, options.sarif, options.records) if f]
    if not files and not options.text:
        raise Problem("nothing is asked for: give -o FILE.html, --text, "
                      "--sarif FILE or --records FILE.yaml")
    if options.records and not options.remarks:
        raise Problem("--records writes what --remarks reads: give that as "
                      "well")
    read = [options.run, options.compare, options.gpu, *options.remarks,
            *options.checks]
    taken = {os.path.realpath(f) for f in read if f}
    for file in files:
        if os.path.realpath(file) in taken:
            raise Problem("'%s' is named twice: it would be written over"
                          % file)
        taken.add(os.path.realpath(file))


def _text(case, found):
    lines = []
    for check in case.run.checks:
        place = ("%s:%d" % (check["file"], check["line"]) if check["file"]
                 else "no line known")
        lines += ["%s, %s" % (check["kind"], place), "   " + check["message"]]
        lines += ["   " + check["hint"]] if check["hint"] else []
    for number, one in enumerate(found, 1):
        place = "%s:%d" % (one.file, one.line) if one.line else one.file
        lines += ["%d. %s, %s" % (number, one.title, place or "no line known"),
                  "   " + one.reason,
                  "   " + advice.gain_text(one, case.run),
                  "   " + one.cure]
        names = [k["demangled"] for k in case.run.kernels
                 if k["name"] == one.kernel]
        if names:
            lines.insert(-3, "   kernel " + names[0])
    if not found:
        lines.append("no advice: nothing that ferry-report looks for was found")
    return "\n".join(lines) + "\n"


def _is_stream(path):
    # A folder as well: opening it says what is wrong.
    return os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode)


class _Files:
    """Writes several files, or none of them."""

    def __init__(self):
        self.ready = []

    def add(self, path, text):
        """Keeps the text beside the file until commit()."""
        if _is_stream(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return
        target = os.path.realpath(path)
        temporary = "%s.new-%d" % (target, os.getpid())
        with open(temporary, "x", encoding="utf-8") as file:
            self.ready.append((temporary, target))
            file.write(text)

    def commit(self):
        while self.ready:
            temporary, target = self.ready[0]
            os.replace(temporary, target)
            self.ready.pop(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for temporary, _ in self.ready:
            os.unlink(temporary)


def _write(texts):
    with _Files() as files:
        path = ""
        try:
            for path, text in texts:
                files.add(path, text)
            files.commit()
        except OSError as error:
            raise Problem("cannot write '%s': %s"
                          % (path, error.strerror)) from None


def _case(options):
    run = reading.read_run(options.run, options.title)
    run.checks = reading.read_checks(options.checks)
    if options.gpu:
        gpu = reading.read_gpu(options.gpu)
    else:
        gpu = reading.find_gpu(run, os.path.join(HERE, "..", "sim", "gpu"))
    return advice.Case(run, remarks.read_remarks(options.remarks), gpu,
                       remarks.read_meanings(os.path.join(HERE, "docs")))


def _run(options, version):
    _outputs(options)
    case = _case(options)
    other = reading.read_run(options.compare) if options.compare else None
    found = advice.advise(case)
    texts = []
    if options.page:
        sources = Sources(options.source)
        texts.append((options.page,
                      page.render(case, found, sources, other)))
    if options.sarif:
        texts.append((options.sarif,
                      sarif.write(case.run, case.remarks, case.meanings,
                                  version)))
    if options.records:
        texts.append((options.records,
                      records.write(case.run, options.remarks)))
    _write(texts)
    if options.text:
        sys.stdout.write(_text(case, found))
        sys.stdout.flush()


def main(arguments, version):
    """Runs the command. The exit status: 0, or 2 with one sentence on the
    standard error."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        _run(_parser(version).parse_args(arguments), version)
    except Problem as problem:
        print("ferry-report: error: %s" % problem, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever reads has enough; Python is not to complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
