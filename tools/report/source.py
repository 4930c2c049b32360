"""The source view: lines of files with what kernels did there."""
import os
import stat

from gain import ratio
from problem import Problem
from reading import read_text
from remarks import same_file
from words import clean, count, percent

AROUND = 4
MOST_BYTES = 4 << 20


class Sources:
    """Files below one folder. Reports name any file, and what they name is
    copied into the page: nothing outside of the folder is read."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder or ".")
        self.asked = folder is not None
        if not os.path.isdir(self.folder):
            raise Problem("'%s' is no folder; --source takes the one that the "
                          "program's files are in" % folder)

    def lines(self, name):
        """The lines of a file, or None."""
        names = [name]
        if os.path.isabs(name):
            # As it was compiled elsewhere: below the folder, without the
            # first parts of the path.
            parts = name.strip(os.sep).split(os.sep)
            names += [os.path.join(*parts[i:]) for i in range(len(parts))]
        for candidate in names:
            path = os.path.realpath(os.path.join(self.folder, candidate))
            if os.path.commonpath([path, self.folder]) != self.folder:
                continue
            try:
                if (not stat.S_ISREG(os.stat(path).st_mode)
                        or os.stat(path).st_size > MOST_BYTES):
                    continue
            except (OSError, ValueError):
                continue
            text = read_text(path, MOST_BYTES).replace("\r\n", "\n")
            return [clean(line.expandtabs(4)) for line in text.split("\n")]
        return None


def cost(line):
    """What a line is ranked by: passes over the two memories' data stage."""
    if line["access"] == "branch":
        return 0
    return line["l1_wavefronts"] + line["shared_wavefronts"]


def _new(file, line):
    keys = ("requests", "sectors", "least", "shared", "conflicts", "branches",
            "divergent", "cost")
    return {"file": file, "line": line, "access": [], **dict.fromkeys(keys, 0)}


def _add(row, line):
    row["access"].append(line["access"])
    if line["access"] == "branch":
        row["branches"] += line["branches"]
        row["divergent"] += line["divergent_branches"]
        return
    row["requests"] += line["global_requests"]
    row["sectors"] += line["global_sectors"]
    row["least"] += line["least_global_sectors"]
    row["shared"] += line["shared_wavefronts"]
    row["conflicts"] += line["shared_bank_conflicts"]
    row["cost"] += cost(line)


def rows_of(run):
    """One row of counters for each source line, by file and line."""
    rows = {}
    for line in run.lines or []:
        place = (line["file"], int(line["line"]))
        _add(rows.setdefault(place, _new(*place)), line)
    total = sum(row["cost"] for row in rows.values())
    for row in rows.values():
        row["share"] = ratio(row["cost"], total)
        row["cells"] = _cells(row)
        row["sort"] = [row[k] for k in ("requests", "sectors", "least")] + [
            max(0, row["sectors"] - row["least"]), row["shared"],
            row["conflicts"], row["branches"], row["divergent"]]
    return rows


COLUMNS = ["Requests", "Sectors", "Least", "Excessive", "Shared passes",
           "Conflicts", "Branches", "Divergent"]


def _cells(row):
    def shown(value):
        return count(value) if value else ""

    divergent = ("%s (%s)" % (count(row["divergent"]),
                              percent(row["divergent"] / row["branches"]))
                 if row["divergent"] and row["branches"] else "")
    return [shown(row[k]) for k in ("requests", "sectors", "least")] + [
        shown(max(0, row["sectors"] - row["least"])), shown(row["shared"]),
        shown(row["conflicts"]), shown(row["branches"]), divergent]


def used_columns(rows):
    """Indices of the COLUMNS in which one of the rows has something."""
    rows = list(rows)
    return [i for i in range(len(COLUMNS)) if any(r["cells"][i] for r in rows)]


def hot_spots(rows, most=20):
    """The lines that cost most, the first ones first."""
    hot = [row for row in rows.values() if row["cost"]]
    return sorted(hot, key=lambda r: (-r["cost"], r["file"], r["line"]))[:most]


def views(run, remarks, sources):
    """For each file that counters or remarks name: its name, whether its text
    was found, and its lines with gaps (None) where nothing happened."""
    rows = rows_of(run)
    names = []
    for name in ([f for f, _ in sorted(rows)] + sorted(r.file for r in remarks)):
        if name and not any(same_file(name, known) for known in names):
            names.append(name)
    result = []
    for name in names:
        here = {n: row for (f, n), row in rows.items()
                if n and same_file(f, name)}
        noted = {}
        for remark in remarks:
            if same_file(remark.file, name) and remark.line:
                noted.setdefault(remark.line, []).append(remark)
        text = sources.lines(name)
        result.append({"name": name, "found": text is not None,
                       "columns": used_columns(here.values()),
                       "lines": _view(here, noted, text)})
    if sources.asked and result and not any(v["found"] for v in result):
        raise Problem("none of the program's files is below '%s' (the first is "
                      "'%s'); --source takes the folder that they are in"
                      % (sources.folder, result[0]["name"]))
    return result


def _view(rows, noted, text):
    wanted = sorted(set(rows) | set(noted))
    shown = set(wanted)
    if text is not None:
        for number in wanted:
            shown |= set(range(max(1, number - AROUND),
                               min(len(text), number + AROUND) + 1))
    view, before = [], 0
    for number in sorted(shown):
        if text is not None and number != before + 1:
            view.append(None)
        before = number
        known = text is not None and number <= len(text)
        view.append({"line": number, "text": text[number - 1] if known else "",
                     "row": rows.get(number), "remarks": noted.get(number, [])})
    return view
