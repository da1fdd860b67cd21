#!/usr/bin/env python3
"""Opens the interactive page of a run in a real Chromium, from its file, and uses it: every part must answer, nothing may
fail on the console. Prints the report to PDF on the way.

Usage: check_page.py RUN_FOLDER [SCREENSHOT_FOLDER]

Speaks the DevTools protocol over a pipe, so that nothing but Chromium and Python's own library is needed.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
OWN = ("file:", "data:", "blob:", "about:")
PATIENCE_S = 180  # Of a machine with other things to do; every wait ends as soon as what it waits for is there.


class Browser:
    """A headless Chromium on a pipe."""

    def __init__(self, profile):
        program = next((path for path in map(shutil.which, BROWSERS) if path), None)
        if not program:
            sys.exit("no Chromium found: install it (Debian and Ubuntu: apt-get install chromium)")
        to_read, self.to_write = os.pipe()
        self.to_hear, to_say = os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader"]
        command += ["--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,900"]
        command += [f"--user-data-dir={profile}", "--no-first-run", "--remote-debugging-pipe", "about:blank"]

        def pipes():
            # The protocol's own numbers: 3 to hear, 4 to say. Moved away first: a pipe may have one of them already.
            hear, say = os.dup(to_read), os.dup(to_say)
            os.dup2(hear, 3)
            os.dup2(say, 4)

        self.process = subprocess.Popen(
            command, preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_say)
        self.count, self.buffer, self.events, self.session = 0, b"", [], None

    def hear(self):
        while b"\0" not in self.buffer:
            more = os.read(self.to_hear, 1 << 20)
            if not more:
                sys.exit("Chromium ended early")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") == self.count:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        if not self.session:
            target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
            self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
            for domain in ["Page", "Runtime", "Log", "Network"]:
                self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)

    def ask(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"{script}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait(self, script, what):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            answer = self.ask(f"(() => {{ try {{ return {script}; }} catch (error) {{ return null; }} }})()")
            if answer:
                return answer
            time.sleep(0.05)
        sys.exit(f"waited in vain for {what}; on the page: {self.ask('document.body.innerText')[:400]}")

    def mouse(self, kind, at, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1, **more)

    def click(self, at):
        self.mouse("mousePressed", at)
        self.mouse("mouseReleased", at)

    def drag(self, start, end):
        self.mouse("mousePressed", start, buttons=1)
        for step in range(1, 6):
            self.mouse("mouseMoved", [a + (b - a) * step / 5 for a, b in zip(start, end)], buttons=1)
        self.mouse("mouseReleased", end)

    def press(self, button):
        middle = "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        box = self.ask(f"{middle}(document.getElementById('{button}').getBoundingClientRect())")
        self.click(box)

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def complaints(self):
        """Errors of the console, exceptions, and anything that was fetched from elsewhere."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(arg.get("value", arg.get("description"))) for arg in params["args"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(OWN):
                found.append(f"fetches {params['request']['url']}")
        # What a machine without a graphics card says of drawing by software.
        return [text for text in found if "GPU stall" not in text and "swiftshader" not in text.lower()]

    def close(self):
        self.process.terminate()
        self.process.wait()


def expect(fine, what):
    if not fine:
        sys.exit(f"the page is wrong: {what}")


def use(browser, page, shots):
    browser.open(page.resolve().as_uri())
    browser.wait("document.body.dataset.ready === 'all'", "the page to be ready")
    shot = (lambda name: browser.picture(shots / f"{name}.png")) if shots else (lambda name: None)
    shot("map")
    expect(page.stat().st_size <= 20e6, f"{page.stat().st_size} bytes, at most 20 MB wanted")
    data = "window.couloir.data"
    # A picture is drawn: the map has many colours.
    drawn = "document.getElementById('map').getContext('2d').getImageData(0, 0, 600, 600).data.buffer"
    expect(browser.ask(f"new Set(new Uint32Array({drawn})).size") > 20, "the map is blank")
    # The cell that most rocks pass answers with its numbers and a histogram that holds all of them.
    count, released = browser.ask(f"[{data}.scenarios[0].count, {data}.scenarios[0].released]")
    expect(count > 0 and released > 0, "no cell is passed")
    place = browser.ask("window.couloir.busiest()")
    browser.click(place["at"])
    browser.wait("document.querySelectorAll('#info tr').length > 5", "the numbers of a cell")
    bars = browser.ask("[...document.querySelectorAll('#info rect')].map((bar) => Number(bar.dataset.count))")
    expect(sum(bars) == place["passages"], f"the histogram holds {sum(bars)} of {place['passages']} rocks")
    if browser.ask(f"Boolean({data}.zones)"):
        title = json.dumps(browser.ask(f"{data}.zones.title"))
        row = f"[...document.querySelectorAll('#info tr')].find((row) => row.innerText.startsWith({title}))"
        expect(browser.ask(f"{row}.lastChild.textContent") != "–", "the cell that most rocks pass is in no zone")
    shot("cell")
    # Another scenario, another layer: other numbers, another picture.
    if browser.ask(f"{data}.scenarios.length") > 1:
        before = browser.ask("document.getElementById('info').innerText")
        choose = "document.getElementById('scenario').selectedIndex = 1; document.getElementById('scenario').onchange()"
        browser.ask(choose)
        name = browser.ask(f"{data}.scenarios[1].name")
        browser.wait(f"document.getElementById('info').innerText.includes({json.dumps(name)})", "the other scenario")
        expect(browser.ask("document.getElementById('info').innerText") != before, "the scenario changes nothing")
        browser.ask("document.getElementById('scenario').selectedIndex = 0; document.getElementById('scenario').onchange()")
    for key in browser.ask("[...document.getElementById('layer').options].map((o) => o.value)"):
        browser.ask(f"(async (list) => {{ list.value = '{key}'; await list.onchange(); }})(document.getElementById('layer'))")
    shot("last-layer")
    # Zoom by the wheel, pan by the hand.
    before = browser.ask("window.couloir.view().scale")
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=place["at"][0], y=place["at"][1], deltaX=0, deltaY=-300)
    browser.wait(f"window.couloir.view().scale > 1.2 * {before}", "the wheel to zoom")
    before = browser.ask("window.couloir.view().x")
    browser.drag([700, 400], [760, 440])
    browser.wait(f"window.couloir.view().x < {before}", "the hand to pan")
    browser.press("whole")
    # A line across the whole map is crossed by rocks; the count is that of another way to look at the tracks.
    if browser.ask(f"{data}.tracks !== null"):
        browser.press("draw-line")
        start, end = browser.ask("window.couloir.acrossTheWay()")
        browser.drag(start, end)
        browser.wait("document.querySelectorAll('#info tr').length > 2", "the crossings of a line")
        said = browser.ask("Number(document.querySelectorAll('#info tr')[2].lastChild.textContent)")
        crossed = browser.ask("window.couloir.crossedWay()")
        expect(said == crossed and crossed > 0, f"{said} rocks cross the line, {crossed} tracks have vertices on both sides")
        shot("line")
        # Rocks fall in space.
        browser.press("show-space")
        browser.wait("Number(document.getElementById('space').dataset.frames) > 3", "frames of the view in space")
        browser.wait("Number(document.getElementById('space').dataset.rocks) > 0", "rocks in space")
        first = browser.ask("document.getElementById('clock').textContent")
        browser.wait(f"document.getElementById('clock').textContent !== {json.dumps(first)}", "time to pass")
        browser.ask("(t => { t.value = 300; t.oninput({target: t}); })(document.getElementById('time'))")
        browser.wait("Number(document.getElementById('space').dataset.frames) > 6", "more frames")
        shot("space")
    print(f"first picture after {browser.ask('window.couloir.readyAt()') / 1000:.2f} s, {page.stat().st_size / 1e6:.1f} MB")


def print_report(browser, report, out):
    browser.open(report.resolve().as_uri())
    browser.wait("document.readyState === 'complete'", "the report")
    pdf = browser.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
    (out / "report.pdf").write_bytes(base64.b64decode(pdf))


def main():
    run = Path(sys.argv[1])
    shots = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    pages = sorted(run.glob("interactive.html")) + sorted(run.glob("*/interactive.html"))
    expect(pages, f"{run} has no interactive.html")
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            for page in pages:
                use(browser, page, shots)
            print_report(browser, run / "report.html", shots or Path(profile))
            complaints = browser.complaints()
            expect(not complaints, "; ".join(complaints))
        finally:
            browser.close()


if __name__ == "__main__":
    main()
