#!/usr/bin/python3
"""A run and a merge whose results go to an object store: S3 as moto serves it on this machine, through GDAL's /vsis3/.

    tests/cluster/store.py ENGINE [--work DIR]

What cannot be had (no network for pip, a GDAL without curl) is skipped with a printed reason.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
BUCKET = "/vsis3/couloir-test"
# moto reads the region out of it and believes the rest.
HEADERS = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0",
    "Content-Type": "application/octet-stream",
}


class Skipped(Exception):
    """Something this test needs is not to be had."""


class Wrong(Exception):
    """The demand is not met."""


def python_with(folder: pathlib.Path, package: str) -> pathlib.Path:
    """A virtual environment with a package."""
    venv = folder / "venv"
    if not (venv / "bin/pip").exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", str(venv)], check=True)
    done = subprocess.run([venv / "bin/pip", "install", "-q", package], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skipped(f"pip cannot install {package}: {done.stderr.strip().splitlines()[-1:]}")
    return venv / "bin"


class Store:
    """An S3 server on the loopback device, with one bucket."""

    def __init__(self, tools: pathlib.Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        host, port = self.address.split(":")
        self.server = subprocess.Popen(
            [tools / "moto_server", "-H", host, "-p", port], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.environment = {
            **os.environ,
            "AWS_S3_ENDPOINT": self.address,
            "AWS_HTTPS": "NO",
            "AWS_VIRTUAL_HOSTING": "FALSE",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
        }
        until = time.monotonic() + 60
        while True:
            try:
                self.ask("PUT", "")
                return
            except OSError as error:
                refused = isinstance(error, urllib.error.HTTPError)
                if refused or time.monotonic() > until or self.server.poll() is not None:
                    self.end()
                    raise Skipped(f"moto does not start: {error}") from error
                time.sleep(0.1)

    def ask(self, method: str, name: str, data: bytes | None = None) -> bytes:
        """One request, without GDAL."""
        url = f"http://{self.address}/couloir-test/{name}"
        request = urllib.request.Request(url, data=data, method=method, headers=HEADERS)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def names(self, folder: str) -> set[str]:
        """Keys below a folder."""
        text = self.ask("GET", f"?list-type=2&max-keys=1000&prefix={folder}/").decode()
        return {piece.split("</Key>")[0][len(folder) + 1 :] for piece in text.split("<Key>")[1:]}

    def end(self) -> None:
        """Ends the server."""
        self.server.terminate()
        self.server.wait(30)


class Test:
    """The engine, on a small project."""

    def __init__(self, engine: str, work: pathlib.Path, store: Store) -> None:
        self.engine, self.work, self.store = engine, work, store

    def call(self, *words: object, code: int = 0) -> str:
        """Runs it; returns what it says."""
        command = [self.engine, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=self.store.environment)
        said = done.stdout + done.stderr
        if done.returncode != code:
            raise Wrong(f"{' '.join(command)} ended with {done.returncode}, expected {code}: {said}")
        return said

    def same(self, folder: str, local: pathlib.Path) -> int:
        """Every file of the run is there, byte by byte, and nothing else."""
        files = {str(path.relative_to(local)) for path in local.rglob("*") if path.is_file()}
        there = self.store.names(folder)
        if there != files | {"couloir-upload.json"}:
            raise Wrong(f"{folder} holds other files: {sorted(there ^ files)}")
        for name in sorted(files):
            if self.store.ask("GET", f"{folder}/{name}") != (local / name).read_bytes():
                raise Wrong(f"{folder}/{name} has other bytes")
        return len(files)


def project(folder: pathlib.Path) -> pathlib.Path:
    """A slope of 60 x 60 cells."""
    folder.mkdir(parents=True)
    rows = (" ".join(f"{900 + 0.9 * max(0, 80 - 2 * row):.2f}" for _ in range(60)) for row in range(60))
    head = "ncols 60\nnrows 60\nxllcorner 2600000\nyllcorner 1200000\ncellsize 2\n"
    (folder / "dem.asc").write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    ring = [[2600050, 1200100], [2600070, 1200100], [2600070, 1200110], [2600050, 1200110], [2600050, 1200100]]
    (folder / "project.yaml").write_text(
        "terrain: {dem: dem.asc, crs: 'EPSG:2056'}\nrocks: [{shape: eota_111, mass_kg: 300}]\n"
        f"release:\n- source: {{geojson: {{type: Polygon, coordinates: [{ring}]}}}}\n"
        "  placement: {count: 8}\n  rocks_per_position: 1\noutputs: {trajectories: [geopackage]}\n",
        encoding="utf-8",
    )
    return folder / "project.yaml"


def check(test: Test) -> None:
    """All demands, one after the other."""
    work, store = test.work, test.store
    yaml = project(work / "site")
    to = ["--allow-network", "--progress", "none"]
    scratch = work / "scratch"
    test.call("run", yaml, "--out", f"{BUCKET}/run", "--scratch", scratch, *to)
    print(f"  {test.same('run', scratch)} files of a run, the bytes of those on this machine", flush=True)
    if "already" not in test.call("run", yaml, "--out", f"{BUCKET}/run", "--scratch", scratch, "--resume", *to):
        raise Wrong("a finished run was computed again")
    # Another run does not take its place unasked, and nobody's files are touched.
    said = test.call("run", yaml, "--seed", 9, "--out", f"{BUCKET}/run", "--scratch", work / "other", *to, code=1)
    if "another run" not in said or (work / "other").exists():
        raise Wrong(f"a run was replaced or computed in vain: {said}")
    store.ask("PUT", "strange/notes.txt", b"mine")
    said = test.call("run", yaml, "--out", f"{BUCKET}/strange", "--scratch", work / "strange", *to, code=1)
    if "notes.txt" not in said or store.names("strange") != {"notes.txt"}:
        raise Wrong(f"a strange folder was written to: {said}")
    # What was changed there is not replaced; put right, it is.
    passages = store.ask("GET", "run/layers/passages.tif")
    store.ask("PUT", "run/layers/passages.tif", passages + b"x")
    again = ["run", yaml, "--seed", 9, "--out", f"{BUCKET}/run", "--scratch", work / "other", "--overwrite", *to]
    said = test.call(*again, code=1)
    if "passages.tif" not in said or store.ask("GET", "run/layers/passages.tif") != passages + b"x":
        raise Wrong(f"a changed file was replaced: {said}")
    store.ask("PUT", "run/layers/passages.tif", passages)
    test.call(*again)
    test.same("run", work / "other")
    # Classified anew on this machine, it is brought up to date.
    test.call("classify", work / "other", "--scheme", "norway")
    test.call("run", yaml, "--seed", 9, "--out", f"{BUCKET}/run", "--scratch", work / "other", "--resume", *to)
    print(f"  replaced, then classified: {test.same('run', work / 'other')} files", flush=True)
    # Parts come together there.
    for part in ["1/2", "2/2"]:
        test.call("run", yaml, "--shard", part, "--out", work / f"part-{part[0]}", "--progress", "none")
    parts = [work / "part-1", work / "part-2"]
    command = [test.engine, "merge", *map(str, parts), "--out", f"{BUCKET}/merged", "--scratch", str(work / "merged"), "--resume", *to]
    killed = kill_upload(test, command)
    test.call(*command[1:])
    print(f"  killed after {killed} files of the copy, then finished: {test.same('merged', work / 'merged')} files", flush=True)


def kill_upload(test: Test, command: list[str]) -> int:
    """Kills the engine when some files have arrived and the manifest has not."""
    running = subprocess.Popen(command, env=test.store.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None:
        there = test.store.names("merged")
        if len(there) > 3 and "manifest.json" not in there:
            running.send_signal(signal.SIGKILL)
            running.wait()
            return len(test.store.names("merged"))
    raise Wrong("the copy was complete before it could be killed")


def main() -> int:
    """One server, all demands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("target/cluster"))
    options = parser.parse_args()
    print("object store:", flush=True)
    work = options.work.resolve() / "store"
    shutil.rmtree(work, ignore_errors=True)
    try:
        store = Store(python_with(options.work.resolve(), "moto[server]"))
    except Skipped as reason:
        print(f"  skipped: {reason}", flush=True)
        return 0
    try:
        check(Test(str(pathlib.Path(options.engine).resolve()), work, store))
    except (Wrong, urllib.error.URLError, json.JSONDecodeError) as why:
        print(f"  WRONG: {why}", flush=True)
        return 1
    finally:
        store.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
