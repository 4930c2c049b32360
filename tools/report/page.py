"""The page: all that the templates show, and the templates filled in."""
import base64
import hashlib
import os

import charts
import compare
import source
import words
from advice import best, gain_text
from problem import needed
from remarks import kernel_of, region_of, same_file

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")


def _hash(text):
    digest = hashlib.sha256(text.encode()).digest()
    return "'sha256-%s'" % base64.b64encode(digest).decode()


def _environment():
    jinja2 = needed("jinja2", "python3-jinja2")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True,
        trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined)
    for name in ("count", "percent", "seconds", "size", "triple"):
        environment.filters[name] = getattr(words, name)
    return environment


def _kernel(run, index, case, advice):
    kernel = run.kernels[index]
    least, most = kernel["time"]["range"]
    region = region_of(kernel["name"])
    return {
        "id": "k%d" % index, "data": kernel,
        "share": (kernel["time"]["seconds"] / run.time["seconds"]
                  if run.time["seconds"] else 0),
        "range": [least, most], "limiter": charts.label(
            kernel["time"]["limiter"]),
        "speed": charts.speed_of_light(kernel["time"]),
        "roofline": charts.roofline(kernel, case.gpu),
        "memory": charts.memory(kernel),
        "advice": [a for a in advice if a.kernel == kernel["name"]],
        "remarks": [r for r in case.remarks if r.region == region
                    or kernel_of(run.kernels, r) is kernel],
    }


class _Links:
    """Where in the page a place of the source is shown."""

    def __init__(self, views):
        self.views = views

    def line(self, file, line):
        for index, view in enumerate(self.views):
            if same_file(view["name"], file):
                for shown in view["lines"]:
                    if shown and shown["line"] == line:
                        return "#f%d-%d" % (index, line)
        return ""


def _place(file, line):
    return "%s:%d" % (file, line) if file and line else file


def _meanings(remarks, meanings):
    names = {r.reason for r in remarks if r.reason}
    return {name: meanings[name] for name in sorted(names & set(meanings))}


def render(case, advice, sources, other=None):
    """The text of a page about a Case. other is a Run to compare with."""
    run = case.run
    environment = _environment()
    views = source.views(run, case.remarks, sources)
    hot = source.hot_spots(source.rows_of(run))
    links = _Links(views)
    order = sorted(range(len(run.kernels)),
                   key=lambda i: -run.kernels[i]["time"]["seconds"])
    style, script = (environment.loader.get_source(environment, name)[0]
                     for name in ("page.css", "page.js"))
    policy = "default-src 'none'; style-src %s; script-src %s" % (
        _hash(style), _hash(script))
    environment.globals.update(
        link=links.line, place=_place,
        gain=lambda one: gain_text(one, run))
    return environment.get_template("page.html").render(
        run=run, style=environment.filters["safe"](style),
        script=environment.filters["safe"](script), policy=policy,
        bar=charts.program_bar(run, order),
        speed=charts.speed_of_light(run.time),
        limiter=charts.label(run.time["limiter"]),
        kernels=[_kernel(run, index, case, advice) for index in order],
        advice=advice, best=best(advice), views=views,
        hot=hot, hot_columns=source.used_columns(hot), columns=source.COLUMNS,
        meanings=_meanings(case.remarks, case.meanings), remarks=case.remarks,
        compared=compare.compare(run, other) if other else None, other=other)
