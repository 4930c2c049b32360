"""What the checks of pages share."""
import html.parser
import sys


def fail(what):
    sys.exit("error: " + what)


def same(what, value, expected):
    if value != expected:
        fail("%s is %r, not %r" % (what, value, expected))


VOID = {"meta", "br", "rect", "path", "circle"}


class Page(html.parser.HTMLParser):
    """The elements, attributes and text of a page. Fails where elements are
    not closed."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self.ids, self.links = [], [], [], []
        self.policy, self.open = "", []
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.feed(self.source)
        self.close()
        same("elements left open", self.open, [])

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, attributes))
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name == "href":
                self.links.append(value)
        if ("http-equiv", "Content-Security-Policy") in attributes:
            self.policy = dict(attributes)["content"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            fail("</%s> closes nothing" % tag)

    def handle_data(self, data):
        self.texts.append(data)

    def text(self):
        return " ".join(" ".join(self.texts).split())

    def kinds(self):
        """Each element's name with the names of its attributes."""
        return {(tag, tuple(sorted(n for n, _ in attributes)))
                for tag, attributes in self.elements}
