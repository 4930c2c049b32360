"""check_errors.py COMMAND RUN: ferry-report's complaints, each one line."""
import copy
import json
import os
import subprocess
import sys

from checks import fail

COMMAND, RUN = sys.argv[1:3]
with open(RUN) as file:
    GOOD = json.load(file)


def complain(arguments, *expected):
    done = subprocess.run([COMMAND] + arguments, capture_output=True, text=True)
    line = done.stderr
    if done.returncode != 2 or done.stdout or line.count("\n") != 1:
        fail("%r: exit code %d, %r, %r" % (arguments, done.returncode,
                                           done.stdout, line))
    for text in ("ferry-report: error: ",) + expected:
        if text not in line:
            fail("%r says %r, not %r" % (arguments, line, text))


def write(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


def changed(change, *expected):
    """Complains about the run as the function has changed it."""
    run = copy.deepcopy(GOOD)
    change(run)
    complain(["-o", "o.html", write("changed.json", json.dumps(run))],
             *expected)


# The command line.
complain([RUN], "nothing is asked for: give -o FILE.html, --text, --sarif")
complain([RUN, "--records", "o.yaml"], "--records writes what --remarks reads")
complain(["-o", "o.html"], "required: RUN.json")
complain(["--frobnicate", RUN], "unrecognized arguments: --frobnicate")
complain(["--tex", RUN], "--tex")
complain(["-o", RUN, RUN], "'%s' is named twice" % RUN)
complain(["-o", "o.html", "--sarif", "./o.html", RUN], "is named twice")
complain(["-o", "o.html", RUN, "--source", "nowhere"], "'nowhere' is no folder")
os.mkdir("folder")
complain(["-o", "o.html", RUN, "--source", "folder"],
         "none of the program's files is below", "rows.cpp")
# Where it is to be written.
complain(["-o", "nowhere/o.html", RUN], "cannot write 'nowhere/o.html': No such")
complain(["-o", "folder", RUN], "cannot write 'folder': Is a directory")
complain(["-o", "o.html", "--sarif", "nowhere/o.sarif", RUN],
         "cannot write 'nowhere/o.sarif'")
# Files that are none.
complain(["--text", "missing.json"], "cannot read 'missing.json': No such file")
complain(["--text", "folder"], "cannot read 'folder': Is a directory")
complain(["--text", RUN, "--remarks", "missing.yaml"], "cannot read 'missing")
complain(["--text", RUN, "--compare", "missing.json", "-o", "o.html"],
         "cannot read 'missing.json'")
complain(["--text", write("empty.json", "")], "'empty.json' is not JSON")
complain(["--text", write("half.json", json.dumps(GOOD)[:2000])], "is not JSON")
complain(["--text", write("nan.json", '{"device": NaN}')], "it holds NaN")
complain(["--text", write("deep.json", "[" * 100000)], "is not JSON")
complain(["--text", write("big.json", "9" * 5000)], "is not JSON")
complain(["--text", RUN, "--remarks", write("bad.yaml", "--- !Missed [\n")],
         "'bad.yaml', line 2 is not an optimisation record")
complain(["--text", RUN, "--gpu", write("gpu.json", '{"name": "x"}')],
         "'gpu.json' is not a whole description of a GPU")
# Another form.
complain(["--text", write("list.json", "[]")], "the report is not an object")
complain(["--text", write("other.json", '{"a": 1}')], "has no 'device'")
changed(lambda r: r.update(kernels=[]), "holds no kernel: nothing was launched")
changed(lambda r: (r.pop("time"), r["totals"].pop("l1_wavefronts")),
        "has no times: run ferry-sim again without --no-time")
changed(lambda r: r["kernels"][1].pop("occupancy"), "a kernel has no 'occupancy'")
changed(lambda r: r["kernels"][0].update(launches="1"),
        "a kernel 'launches' is not a number")
changed(lambda r: r["kernels"][0].update(launches=True), "is not a number")
changed(lambda r: r["kernels"][0].update(launches=-1), "is not a number")
changed(lambda r: r["kernels"][0].update(grid=[1, 2]), "has not 3 parts")
changed(lambda r: r["kernels"][0]["time"]["units"].pop("l2"), "has no 'l2'")
changed(lambda r: r["kernels"].append(7), "is not an object")
changed(lambda r: r["time"].update(range=["a", "b"]), "is not a number")
changed(lambda r: r["totals"]["warp_instructions"].pop("int"), "has no 'int'")
changed(lambda r: r["lines"][1].pop("threads"), "a line has no 'threads'")
changed(lambda r: r["lines"][0].update(kernels=[1]), "is not a text")
changed(lambda r: r.update(findings=[{}]), "a finding has no 'kind'")
changed(lambda r: r.update(errors=[1]), "is not a text")
changed(lambda r: r["device"].update(name=None), "'device' 'name' is not a text")
