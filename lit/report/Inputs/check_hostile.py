"""check_hostile.py PAGE BENIGN: nothing in a page became markup that would not
be in a benign one, and what was shown of the attacks is text."""
import sys

from checks import Page, fail

page, benign = Page(sys.argv[1]), Page(sys.argv[2])
new = page.kinds() - benign.kinds()
if new:
    fail("elements that a page does not have: %r" % sorted(new))
for tag, attributes in page.elements:
    for name, value in attributes:
        if name == "href" and not value.startswith("#"):
            fail("a link to %r" % value)
# The page's own script and style, and no other.
for tag in ("script", "style"):
    if page.source.count("<" + tag) != 1 or page.source.count("</" + tag) != 1:
        fail("more than one <%s>" % tag)
text = page.text()
for attack in ("<script>alert(1)</script>", "onerror=alert(3)>", "{{ 7 * 191 }}",
               "&lt;b&gt;&amp;", "\\u001b[31mred", "\\u202eright", "a\\u0000b",
               "\\ud800", "<a href=http://x/>y</a>"):
    if attack not in text:
        fail("%r is not shown" % attack)
for never in ("1337", "the secret", "root:", "\x1b", "\u202e"):
    if never in text:
        fail("%r is shown" % never)
