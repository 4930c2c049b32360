#!/usr/bin/env python3
"""man.py VERSION PAGE COMMAND ARGUMENT: writes what `COMMAND ARGUMENT` prints as
a manual page.

Help texts have a form in common. A line in capitals, or one in small letters
with a colon, begins a section; lines that are indented by two are its items,
each with its text behind two blanks or below, further indented.
"""
import os
import re
import subprocess
import sys

HEADING = re.compile(r"([A-Z][A-Z ]*|[a-z][a-z ]*:)$")
ITEM = re.compile(r"  (\S.*?)(?:  +(\S.*))?$")


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    # At the beginning of a line these would be commands.
    return "\\&" + text if text[:1] in (".", "'") else text


def usage(lines):
    """The command line, and the lines behind it."""
    words = re.sub(r"(?i)^usage: ", "", lines[0]).split()
    lines = lines[1:]
    while lines and lines[0].startswith(" "):
        words += lines.pop(0).split()
    return words, lines


def section(lines):
    """The page's lines for those of one section."""
    page, is_item = [], False
    for line in lines:
        item = ITEM.match(line)
        if not line.strip():
            page.append(".PP")
            is_item = False
        elif item:
            page += [".TP", "\\fB%s\\fR" % escape(item[1])]
            page += [escape(item[2])] if item[2] else []
            is_item = True
        else:
            if is_item and not line.startswith(" "):
                page.append(".PP")
                is_item = False
            page.append(escape(line.strip()))
    while page and page[-1] == ".PP":
        page.pop()
    return page


def write(name, version, text):
    words, lines = usage(text.splitlines())
    sections = [("DESCRIPTION", [])]
    for line in lines:
        if HEADING.match(line):
            sections.append((line.rstrip(":").upper(), []))
        else:
            sections[-1][1].append(line)
    description = " ".join(sections[0][1]).strip()
    summary = re.split(r"(?<=[a-z])\.(?: |$)", description)[0]
    page = ['.TH "%s" 1 "" "Ferry %s"' % (name.upper(), version),
            ".SH NAME", "%s \\- %s" % (escape(name), escape(summary)),
            ".SH SYNOPSIS", "\\fB%s\\fR %s" % (escape(name),
                                              escape(" ".join(words[1:])))]
    for title, body in sections:
        page += ['.SH "%s"' % title] + section(body)
    return "\n".join(page) + "\n"


def main():
    version, page, command, argument = sys.argv[1:]
    folder, name = os.path.split(command)
    # Lines as long as in a terminal, and no path of this machine.
    environment = dict(os.environ, COLUMNS="80")
    # A script's own Python need not be here.
    with open(command, "rb") as file:
        is_python = file.readline().rstrip().endswith(b"python3")
    call = [sys.executable] * is_python + [command, argument]
    text = subprocess.run(call, env=environment, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    text = text.replace(os.path.join(folder, ".."), "<prefix>")
    with open(page, "w", encoding="utf-8") as file:
        file.write(write(name, version, text))


main()
