"""Debian's Chromium without a window, driven over its DevTools protocol through a pipe.

Used by tests of pages; they skip without a Chromium. Every request that a page makes is kept in `requests`.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds for one answer or event, on a machine that is busy


def program() -> str | None:
    return shutil.which("chromium")


class PageGone(RuntimeError):
    """Another page took the place of the one that was asked."""


class Browser:
    """One page. Use it with `with`: it ends the browser and removes its profile."""

    def __init__(self, width: int = 1280, height: int = 800):
        self.profile = pathlib.Path(tempfile.mkdtemp(prefix="akin-browser-"))
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.downloads = self.profile / "downloads"
        to_browser, self.out = os.pipe()
        self.inward, from_browser = os.pipe()
        command = [
            program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
            "--disable-background-networking", "--disable-component-update", f"--window-size={width},{height}",
            # A page that Chromium takes for hidden gets no frames, for which tests wait.
            "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
            f"--user-data-dir={self.profile}", "about:blank",
        ]

        def connect():  # the protocol's file descriptors are 3 and 4
            reads, writes = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            command, preexec_fn=connect, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.loaded: set[str] = set()  # the loaders whose pages are whole
        pages = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in pages if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.inward)
        shutil.rmtree(self.profile, ignore_errors=True)

    def trace(self, act) -> list[dict]:
        """The events of tasks and paints while `act` runs."""
        self.call("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": ["toplevel", "loading"], "excludedCategories": ["*"]})
        act()
        self.send("Tracing.end", {})
        events = []
        deadline = time.monotonic() + PATIENCE
        while (message := self.receive(deadline)).get("method") != "Tracing.tracingComplete":
            if message.get("method") == "Tracing.dataCollected":
                events += message["params"]["value"]
        return events

    def send(self, method: str, parameters: dict) -> None:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")

    def call(self, method: str, **parameters):
        self.send(method, parameters)
        deadline = time.monotonic() + PATIENCE
        while (answer := self.receive(deadline)).get("id") != self.number:
            pass
        if "error" in answer:
            gone = any(words in answer["error"]["message"] for words in ("navigated", "context was destroyed", "Cannot find default execution context"))
            raise (PageGone if gone else RuntimeError)(f"{method}: {answer['error']}")
        return answer["result"]

    def receive(self, deadline: float) -> dict:
        """The browser's next message."""
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.inward], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.inward, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        packed, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(packed)
        parameters = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Page.lifecycleEvent" if parameters["name"] == "load":
                self.loaded.add(parameters["loaderId"])
            case "Runtime.exceptionThrown":
                self.problems.append(json.dumps(parameters["exceptionDetails"]))
            case "Log.entryAdded" if parameters["entry"]["level"] == "error":
                self.problems.append(parameters["entry"]["text"])
            case "Page.javascriptDialogOpening":
                self.problems.append("dialog: " + parameters["message"])
        return message

    def open(self, path: pathlib.Path, fragment: str = "") -> None:
        self.go(path.as_uri() + fragment)

    def go(self, url: str) -> None:
        """Opens the page, and waits until it is whole. That the page before is only now whole does not count."""
        loader = self.call("Page.navigate", url=url)["loaderId"]
        deadline = time.monotonic() + PATIENCE
        while loader not in self.loaded:
            self.receive(deadline)

    def run(self, script: str):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, script: str):
        """Until the expression is true; its value. The page that it is asked may go while it answers."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                value = self.run(script)
            except PageGone:
                value = None
            if value:
                return value
            time.sleep(0.05)
        raise TimeoutError(script)

    def press(self, *keys: str) -> None:
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, " ": 32}
        for key in keys:
            text = {"text": "\r" if key == "Enter" else key} if key == "Enter" or len(key) == 1 else {}
            code = {"windowsVirtualKeyCode": codes[key]} if key in codes else {}
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **code)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **code)

    def choose_files(self, field: str, paths) -> None:
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=field)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=list(paths))

    def keep_downloads(self) -> None:
        self.downloads.mkdir(exist_ok=True)
        self.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def screenshot(self, file: pathlib.Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def dark(self) -> None:
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def size(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def print_to(self, file: pathlib.Path) -> None:
        answer = self.call("Page.printToPDF", printBackground=False, landscape=True)
        file.write_bytes(base64.b64decode(answer["data"]))
