"""check_page.py PAGE TEXT...: the page is whole, stands alone, and has the texts."""
import base64
import hashlib
import re
import sys

from checks import Page, fail, same

page = Page(sys.argv[1])
same("language", dict(page.elements[0][1]), {"lang": "en"})
same("ids that occur twice", [i for i in set(page.ids) if page.ids.count(i) > 1],
     [])
for link in page.links:
    if link[0] != "#" or link[1:] not in page.ids:
        fail("the link %r leads nowhere" % link)
for tag, attributes in page.elements:
    for name, _ in attributes:
        if name in ("src", "style", "srcset", "action") or name[:2] == "on":
            fail("<%s> has %s" % (tag, name))
    if tag in ("link", "img", "iframe", "object", "base", "form"):
        fail("there is <%s>" % tag)
    if tag == "svg" and not {"role", "aria-hidden"} & {n for n, _ in attributes}:
        fail("a picture has no role")
if len(page.source.encode()) > 5e6:
    fail("the page has more than 5 MB")

# Only the script and the style that are there may be used.
for tag in ("style", "script"):
    blocks = re.findall("<%s>(.*?)</%s>" % (tag, tag), page.source, re.S)
    same("number of <%s>" % tag, len(blocks), 1)
    digest = base64.b64encode(hashlib.sha256(blocks[0].encode()).digest())
    if "%s-src 'sha256-%s'" % (tag, digest.decode()) not in page.policy:
        fail("the policy %r does not fit <%s>" % (page.policy, tag))
    if re.search(r"@import|url\(|https?:|fetch|import\(", blocks[0]):
        fail("<%s> refers to something outside" % tag)
if not page.policy.startswith("default-src 'none'; "):
    fail("the policy is %r" % page.policy)

text = page.text()
for expected in sys.argv[2:]:
    if expected not in text:
        fail("%r is not in the page" % expected)
