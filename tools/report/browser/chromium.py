"""Headless Chromium by its debugging pipe: for the tests and the pictures.

Messages are JSON that ends with a zero byte, on descriptors 3 and 4 of the
browser (--remote-debugging-pipe).
"""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


class Chromium:
    """A browser with one page of the given size. Use it with `with`.

    complaints collects what the page writes to its console, errors that
    nothing caught, and requests to anywhere but the file itself.
    """

    def __init__(self, width=1400, height=900, dark=False, script=True):
        self.folder = tempfile.mkdtemp(prefix="chromium-")
        command = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
            "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", "--user-data-dir=" + self.folder,
            "about:blank"]
        to_read, self.to = os.pipe()
        self.out, from_write = os.pipe()

        def arrange():
            # Out of the way first: one of them may be 3 or 4.
            source, sink = os.dup(to_read), os.dup(from_write)
            for fd, number in ((source, 3), (sink, 4)):
                if fd != number:
                    os.dup2(fd, number)
                os.set_inheritable(number, True)

        # Numbers beyond 4, so that nothing is overwritten.
        to_read, from_write = (self._high(fd) for fd in (to_read, from_write))
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, pass_fds=(3, 4), close_fds=True, preexec_fn=arrange,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.complaints = b"", 0, []
        self.loaded, self.session = False, None
        self._attach(width, height, dark, script)

    @staticmethod
    def _high(fd):
        copy = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)
        os.close(fd)
        return copy

    def _attach(self, width, height, dark, script):
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=page["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"}])
        if not script:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def _message(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.out], [], [], left)[0]:
                raise TimeoutError("Chromium does not answer")
            data = os.read(self.out, 1 << 16)
            if not data:
                raise EOFError("Chromium has ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def _note(self, message):
        method, what = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(what["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(json.dumps(what["args"]))
        elif method == "Log.entryAdded":
            self.complaints.append(what["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append("dialog: " + what["message"])
        elif method == "Network.requestWillBeSent":
            if not what["request"]["url"].startswith(("file:", "about:")):
                self.complaints.append("request: " + what["request"]["url"])

    def call(self, method, **parameters):
        """The result of a command of the DevTools protocol."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 120
        while True:
            answer = self._message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]
            self._note(answer)

    def open(self, path, fragment=""):
        """Loads a file, and waits for it."""
        self.loaded = False
        self.call("Page.navigate",
                  url=pathlib.Path(path).resolve().as_uri() + fragment)
        deadline = time.monotonic() + 120
        while not self.loaded:
            self._note(self._message(deadline))

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def click(self, selector):
        """Clicks in the middle of the element, of its first line if it has
        several, as a mouse does."""
        place = self.evaluate(
            "(e => { e.scrollIntoView({block: 'center'}); const r = "
            "e.getClientRects()[0]; return [r.x + r.width / 2, "
            "r.y + r.height / 2]; })(document.querySelector(%s))"
            % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0],
                      y=place[1], button="left", clickCount=1)

    def press(self, key):
        """Presses a key: "Tab" or "Enter"."""
        code = {"Tab": 9, "Enter": 13}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key,
                  windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key,
                  windowsVirtualKeyCode=code)

    def picture(self, path, selector=None, scale=1):
        """Writes a PNG of an element, or of the whole page."""
        box = self.evaluate(
            "(e => { const r = e.getBoundingClientRect(); return [r.x + "
            "scrollX, r.y + scrollY, r.width, r.height]; })"
            "(document.querySelector(%s))" % json.dumps(selector or "html"))
        clip = dict(zip(("x", "y", "width", "height"), box), scale=scale)
        image = self.call("Page.captureScreenshot", format="png", clip=clip,
                          captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(image))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, EOFError, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.out)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
