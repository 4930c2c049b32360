"""check_browser.py SOURCE ROWS MANY HOSTILE: the pages in headless Chromium."""
import os
import sys
import time

from checks import fail, same

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(sys.argv[1], "tools", "report", "browser"))
from chromium import Chromium  # noqa: E402

ROWS, MANY, HOSTILE = sys.argv[2:]
SEEN = ("(e => !!e && e.checkVisibility({contentVisibilityAuto: true, "
        "visibilityProperty: true}))(document.querySelector('%s'))")
FIRST = ("[...document.querySelectorAll('#kernels > table tbody tr')]"
         ".map(r => r.cells[1].textContent)")


def contrast(browser, selector):
    """The ratio of luminances of an element's text and its background."""
    return browser.evaluate("""(() => {
      const e = document.querySelector('%s');
      let back = e;
      const colour = x => x.match(/[\\d.]+/g).map(Number);
      while (colour(getComputedStyle(back).backgroundColor)[3] === 0)
        back = back.parentElement;
      const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= .04045
          ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) =>
          s + v * [.2126, .7152, .0722][i], 0);
      const a = light(colour(getComputedStyle(e).color));
      const b = light(colour(getComputedStyle(back).backgroundColor));
      return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    })()""" % selector)


def becomes(what, browser, expression, expected):
    """Fails if an expression does not soon have a value: what an event starts
    may come after it."""
    end = time.monotonic() + 30
    while (value := browser.evaluate(expression)) != expected:
        if time.monotonic() > end:
            same(what, value, expected)
        time.sleep(0.05)


def is_open(selector):
    return "document.querySelector('%s').open" % selector


# Folding, sorting, and links into what is folded.
with Chromium() as browser:
    browser.open(MANY)
    becomes("first kernel", browser, is_open("#k0"), True)
    browser.click("#k0 > summary")
    becomes("first kernel after a click", browser, is_open("#k0"), False)
    browser.click("#tools button:nth-child(2)")
    becomes("open after 'Fold all'", browser,
            "document.querySelectorAll('details[open]').length", 0)
    browser.click("#kernels > table tbody tr:last-child a")
    last = browser.evaluate(
        "document.querySelector('#kernels > table tbody tr:last-child a').hash")
    becomes("where it leads", browser, "location.hash", last)
    becomes("kernel of the link", browser, is_open(last), True)
    browser.click("#tools button:nth-child(1)")
    becomes("closed after 'Unfold all'", browser,
            "document.querySelectorAll('details:not([open])').length", 0)
    before = browser.evaluate(FIRST)
    for expected in ("descending", "ascending"):
        browser.click("#kernels > table th:nth-child(2) button")
        becomes("order", browser,
                "document.querySelector('#kernels > table th:nth-child(2)')"
                ".ariaSort", expected)
    # The longest were first: now the other way round.
    same("rows", browser.evaluate(FIRST), sorted(before, key=lambda t: float(
        t.split()[0])))
    browser.click("#kernels > table th:nth-child(1) button")
    becomes("sorted by name", browser, FIRST + "[0]", "56.7 µs")
    # By keyboard: the first stop leads to the summary, a summary folds.
    browser.open(MANY)
    browser.press("Tab")
    becomes("first stop", browser, "document.activeElement.className", "skip")
    browser.press("Enter")
    becomes("where it leads", browser, "location.hash", "#summary")
    browser.evaluate("document.querySelector('#k2 > summary').focus()")
    browser.press("Enter")
    becomes("folded by a key", browser, is_open("#k2"), False)
    same("complaints", browser.complaints, [])

# The bar of the summary leads to the kernel.
with Chromium() as browser:
    browser.open(ROWS)
    browser.click(".bar a:nth-child(2) rect")
    becomes("where the bar leads", browser, "location.hash", "#k1")
    for size in (1400, 500):
        browser.call("Emulation.setDeviceMetricsOverride", width=size,
                     height=900, deviceScaleFactor=1, mobile=False)
        same("width beyond a window of %d" % size, browser.evaluate(
            "document.documentElement.scrollWidth") <= size, True)
    same("complaints", browser.complaints, [])

# Readable, light and dark.
for dark in (False, True):
    with Chromium(dark=dark) as browser:
        browser.open(ROWS)
        light = browser.evaluate(
            "getComputedStyle(document.body).backgroundColor")
        same("background", light == "rgb(255, 255, 255)", not dark)
        for selector in ("body", "a[href]", ".gain", ".small", ".source th",
                         "td.warn", ".tag", "caption"):
            if contrast(browser, selector) < 4.5:
                fail("'%s' has a contrast of %.1f" % (
                    selector, contrast(browser, selector)))
        same("complaints", browser.complaints, [])

# Without JavaScript, and printed.
with Chromium(script=False) as browser:
    browser.open(ROWS)
    for selector in (".bar", ".source .counted", "#k0 .picture", "#compare td"):
        same("'%s' is seen" % selector, browser.evaluate(SEEN % selector), True)
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.evaluate("document.querySelector('#k0').open = false")
    same("a folded kernel is printed", browser.evaluate(
        SEEN % "#k0 .picture"), True)
    for selector in (".small", "caption", ".source code"):
        same("'%s' is printed larger than text" % selector, browser.evaluate(
            "((a, b) => parseFloat(getComputedStyle(a).fontSize) > "
            "parseFloat(getComputedStyle(b).fontSize))(document.querySelector("
            "'%s'), document.body)" % selector), False)
    same("navigation is printed", browser.evaluate(SEEN % "nav"), False)
    same("complaints", browser.complaints, [])

# Nothing of what is hostile runs, is loaded or complains.
with Chromium() as browser:
    browser.open(HOSTILE)
    for selector in ("details summary", "#kernels th button"):
        browser.click(selector)
    same("complaints", browser.complaints, [])
    same("images", browser.evaluate("document.images.length"), 0)
