"""run_document.py PAGE [FOLDER]: does what a page of documentation says.

Runs the commands in the page's indented blocks, lines that begin with ferry-...
or with FERRY_CHECK=, in FOLDER. What stands behind a command up to the next one
has to be in its output, line by line; `...` stands for any lines. Predicted
times, parts of them and addresses may be others: they are the model's and the
machine's, and not what a page is to show.

run_document.py PAGE --block TEXT < OUTPUT: the block of which the first line
begins with TEXT has to be in OUTPUT.

run_document.py PAGE --program TEXT: prints the fenced program that has TEXT.
"""
import re
import subprocess
import sys

COMMAND = re.compile(r"(FERRY_[A-Z]+=\S+ )?(ferry-\w+(\+\+)? |\./)")


def fail(message):
    sys.exit("error: " + message)


def blocks(page):
    """The indented blocks, as lists of lines without the indentation."""
    block = []
    for line in page.split("\n") + [""]:
        if line.startswith("    "):
            block.append(line[4:])
        elif block:
            yield block
            block = []


def masked(line):
    line = re.sub(r"0x[0-9a-f]+", "ADDRESS", line)
    line = re.sub(r"\b[0-9][0-9.,]* (s|ms|us|µs|ns)\b", "TIME", line)
    line = re.sub(r"\b[0-9][0-9.,]* %( of the program)", r"PART\1", line)
    return " ".join(line.split())


def compare(expected, output, command):
    """Whether the expected lines follow each other in the output."""
    lines = [masked(line) for line in output.split("\n")]
    at, anywhere = 0, True
    for line in expected:
        if line.strip() == "...":
            anywhere = True
            continue
        wanted = masked(line)
        found = next((i for i in range(at, len(lines)) if lines[i] == wanted),
                     None)
        if found is None or (found != at and not anywhere):
            fail("'%s' does not print where the page has it:\n%s\nbut:\n%s"
                 % (command, line, output))
        at, anywhere = found + 1, False


def run(page, folder):
    steps = []
    for block in blocks(page):
        for line in block:
            if COMMAND.match(line):
                steps.append((line, []))
            elif steps and line != block[0]:
                steps[-1][1].append(line)
    if not steps:
        fail("the page has no commands")
    for command, expected in steps:
        done = subprocess.run(command, shell=True, cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            fail("'%s' ends with %d:\n%s"
                 % (command, done.returncode, done.stdout))
        compare(expected, done.stdout, command)
    print("%d commands" % len(steps))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    if sys.argv[2] == "--program":
        programs = re.findall(r"^```cpp\n(.*?)^```$", page, re.M | re.S)
        sys.stdout.write(next(p for p in programs if sys.argv[3] in p))
    elif sys.argv[2] == "--block":
        # Commands stand before what they print.
        found = [block[i:] for block in blocks(page)
                 for i, line in enumerate(block) if line.startswith(sys.argv[3])]
        if not found:
            fail("no block begins with '%s'" % sys.argv[3])
        output = sys.stdin.read()
        for block in found:
            compare(block, output, "the program")
    else:
        run(page, sys.argv[2])


main()
