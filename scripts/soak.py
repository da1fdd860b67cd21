#!/usr/bin/env python3
"""Disturbs the engine at random and looks whether it ends in the bytes of an undisturbed run.

Usage: scripts/soak.py ENGINE [--minutes 60] [--seed N] [--keep]

Each round runs one verb (run, run in parts and merge, classify), disturbed by kill -9, SIGTERM, a full disk or flipped
bits, until it succeeds; every kind of round comes equally often. A disturbed call may fail, with one sentence and no panic;
what it leaves must be continued by
the same command with --resume, or be refused. In the end every file must have the bytes of the undisturbed run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

DEM_CELLS = 100
PROJECT = """terrain: {dem: dem.asc, crs: 'EPSG:2056'}
rocks:
- {shape: eota_111, mass_kg: {distribution: power_law, exponent: 1.2, min: 100, max: 3000}}
release:
- source: {geojson: {type: Polygon, coordinates: [[[2600070, 1200170], [2600130, 1200170], [2600130, 1200190],
    [2600070, 1200190], [2600070, 1200170]]]}}
  scenario: Block > 1 m3
  placement: {count: POSITIONS}
  rocks_per_position: 4
  frequency_per_year: 0.1
ground: {scatter_mu: 0.1}
lines:
- name: road
  source: {geojson: {type: LineString, coordinates: [[2600010, 1200070], [2600190, 1200070]]}}
barriers:
- name: net
  source: {geojson: {type: LineString, coordinates: [[2600010, 1200090], [2600190, 1200090]]}}
  height_m: 4
  capacity_kj: 2000
outputs: {trajectories: [geopackage, shapefile], points_every_s: 0.1}
classification: {scheme: swiss}
"""
KINDS = (
    "run", "merge", "classify", "full disk: run", "full disk: merge", "full disk: classify",
    "flip part", "flip checkpoint", "flip results",
)  # fmt: skip
#: They tell time and machine.
TELL_TIME = {"manifest.json", "report.html"}


class Wrong(Exception):
    """What must never happen."""


class Soak:
    def __init__(self, engine: Path, place: Path, seed: int, positions: int) -> None:
        self.engine, self.place, self.random = engine, place, random.Random(seed)
        self.told: Counter[str] = Counter()
        self.project = place / "project.yaml"
        rows = [
            " ".join(
                f"{1000 + 0.9 * max(2 * y - 80, 0) + 0.6 * max(60 - 2 * y, 0) + 0.3 * ((7 * x + 3 * y) % 5):.2f}"
                for x in range(DEM_CELLS)
            )
            for y in reversed(range(DEM_CELLS))
        ]
        head = f"ncols {DEM_CELLS}\nnrows {DEM_CELLS}\nxllcorner 2600000\nyllcorner 1200000\ncellsize 2\n"
        (place / "dem.asc").write_text(head + "\n".join(rows) + "\n")
        self.project.write_text(PROJECT.replace("POSITIONS", str(positions)))
        self.undisturbed: dict[str, str] = {}
        self.waiting: list[str] = []
        self.seconds: dict[str, float] = {}

    def begin(self) -> None:
        """The undisturbed run, and how long each verb takes."""
        whole = self.place / "whole"
        start = time.monotonic()
        self.calm(["run", self.project, "--out", whole])
        self.seconds["run"] = time.monotonic() - start
        shutil.copytree(whole, self.place / "unclassified")
        start = time.monotonic()
        self.calm(["classify", whole, "--scheme", "norway"])
        self.seconds["classify"] = time.monotonic() - start
        self.undisturbed = hashes(whole)
        for part in (1, 2, 3):
            self.calm(["run", self.project, "--shard", f"{part}/3", "--out", self.place / f"part{part}"])
        start = time.monotonic()
        self.calm(["merge", *self.parts(), "--out", self.place / "merged"])
        self.seconds["merge"] = time.monotonic() - start
        self.calm(["classify", self.place / "merged", "--scheme", "norway"])
        self.compare(self.place / "merged")
        self.inputs = {path.name: digest(path) for path in (self.project, self.place / "dem.asc")}

    def parts(self) -> list[Path]:
        return [self.place / f"part{part}" for part in (1, 2, 3)]

    def command(self, arguments: list[object]) -> list[str]:
        return [str(self.engine), *map(str, arguments)]

    def calm(self, arguments: list[object]) -> None:
        done = subprocess.run(self.command(arguments), capture_output=True, text=True)
        if done.returncode != 0:
            raise Wrong(f"undisturbed {arguments[0]} ended with {done.returncode}: {done.stderr}")

    def disturbed(self, arguments: list[object], how: str) -> bool:
        """Calls the engine and disturbs it; whether it succeeded all the same."""

        def little_room() -> None:
            limit = self.random.choice([1, 20_000, 100_000, 300_000])
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        process = subprocess.Popen(
            self.command([*arguments, *(["--checkpoint-every", "0.05"] if arguments[0] == "run" else [])]),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            preexec_fn=little_room if how == "no room" else None,
        )  # fmt: skip
        if how in ("kill", "stop"):
            usual = self.seconds.get(str(arguments[0]), 1.0)
            try:
                process.wait(self.random.uniform(0, 1.1 * usual))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGTERM)
        _, told = process.communicate()
        code = process.returncode
        self.told[f"{arguments[0]}, {how}: {'ended well' if code == 0 else 'refused or stopped'}"] += 1
        if code not in (0, 1, 3, 4, -signal.SIGKILL) and not (how == "stop" and code in (-signal.SIGTERM, 130)):
            raise Wrong(f"{arguments[0]} ended with {code} ({how}): {told}")
        errors = [line for line in told.splitlines() if not line.startswith("warning: ")]
        if "panicked" in told or (code in (1, 3, 4) and len(errors) != 1):
            raise Wrong(f"{arguments[0]} said ({how}): {told}")
        return code == 0

    def flip(self, file: Path) -> tuple[int, int]:
        place = self.random.randrange(file.stat().st_size)
        bit = 1 << self.random.randrange(8)
        with file.open("r+b") as stream:
            stream.seek(place)
            byte = stream.read(1)[0]
            stream.seek(place)
            stream.write(bytes([byte ^ bit]))
        return place, bit

    def compare(self, run: Path) -> None:
        found = hashes(run)
        if found != self.undisturbed:
            different = sorted(
                name for name in found.keys() | self.undisturbed.keys() if found.get(name) != self.undisturbed.get(name)
            )
            raise Wrong(f"{run.name} differs from the undisturbed run in {different[:10]}")
        manifest = json.loads((run / "manifest.json").read_text("utf-8"))
        for output in manifest["outputs"]:
            if digest(run / output["path"]) != output["sha256"]:
                raise Wrong(f"{run.name}: {output['path']} is not what the manifest says")

    def how(self) -> str:
        return self.random.choice(["kill", "kill", "stop", "no room", "nothing"])

    def until_done(self, arguments: list[object], more: list[str]) -> None:
        """Again and again, disturbed less and less likely; the last time not at all."""
        for attempt in range(self.random.randrange(1, 6)):
            if self.disturbed([*arguments, *(more if attempt else [])], self.how()):
                return
        self.calm([*arguments, *more])

    def round(self) -> None:
        out = self.place / "out"
        shutil.rmtree(out, ignore_errors=True)
        if not self.waiting:
            self.waiting = self.random.sample(KINDS, len(KINDS))
        kind = self.waiting.pop()
        self.told[f"round: {kind}"] += 1
        if kind == "flip part":
            part = self.random.choice(self.parts())
            self.flipped(
                sorted(file for file in (part / "shard").iterdir() if file.stat().st_size),
                ["merge", *self.parts(), "--out", out],
            )
            return
        if kind == "flip results":
            whole = self.place / "whole"
            files = [whole / name for name in ("results.bin", "manifest.json")]
            self.flipped(files, ["classify", whole, "--scheme", "austria"])
            self.flipped(files[1:], ["show", whole])
            return
        if kind.startswith("full disk"):
            self.full_disk(kind.split()[-1])
            return
        if kind == "merge":
            self.until_done(["merge", *self.parts(), "--out", out], ["--resume"])
        elif kind == "classify":
            shutil.copytree(self.place / "unclassified", out)
        else:
            run: list[object] = ["run", self.project, "--out", out]
            if kind == "flip checkpoint":
                self.disturbed(run, "kill")
                self.flip_checkpoint(out)
            self.until_done([*run, "--resume"], [])
        self.until_done(["classify", out, "--scheme", "norway"], [])
        self.compare(out)
        left = list(out.rglob(".*"))
        if left:
            raise Wrong(f"left behind: {left}")

    def full_disk(self, verb: str) -> None:
        """A disk that is too small, then large enough. Only root may mount one; elsewhere limits on file sizes must do."""
        disk = self.place / "disk"
        disk.mkdir(exist_ok=True)

        def mount(options: str) -> bool:
            return (
                subprocess.run(
                    ["mount", "-t", "tmpfs", "-o", options, "couloir-soak", str(disk)], capture_output=True
                ).returncode
                == 0
            )

        # Classifying begins with a run that fits.
        room = self.used(self.place / "unclassified") if verb == "classify" else 0
        if not mount(f"size={room + self.random.choice([100, 300, 600, 1200, 2400])}k"):
            self.told["no disk could be mounted"] += 1
            return
        try:
            out = disk / "out"
            classify: list[object] = ["classify", out, "--scheme", "norway"]
            call: list[object] = {
                "run": ["run", self.project, "--out", out, "--resume"],
                "merge": ["merge", *self.parts(), "--out", out, "--resume"],
                "classify": classify,
            }[verb]
            if verb == "classify":
                shutil.copytree(self.place / "unclassified", out)
            self.disturbed(call, "full disk")
            self.disturbed(call, "full disk")
            if not mount("remount,size=200m"):
                raise Wrong("the disk cannot be made larger")
            self.until_done(call, [])
            self.until_done(classify, [])
            self.compare(out)
        finally:
            subprocess.run(["umount", str(disk)], capture_output=True)

    def used(self, folder: Path) -> int:
        """Kilobytes on a disk with pages of four."""
        return sum(4 * (path.stat().st_size // 4096 + 1) for path in folder.rglob("*"))

    def flipped(self, files: list[Path], arguments: list[object]) -> None:
        """One bit of one file: the verb must refuse, and once the bit is back it must work."""
        file = self.random.choice(files)
        whole = file.read_bytes()
        where = self.flip(file)
        try:
            if self.disturbed(arguments, "flipped bit"):
                raise Wrong(f"{arguments[0]} took {file} with bit {where} flipped")
        finally:
            file.write_bytes(whole)
        self.told["flipped bits refused"] += 1

    def flip_checkpoint(self, out: Path) -> None:
        partial = out / ".partial"
        files = sorted(file for file in partial.iterdir() if file.is_file() and file.stat().st_size) if partial.is_dir() else []
        if not files:
            return
        self.flip(self.random.choice(files))
        if not self.disturbed(["run", self.project, "--out", out, "--resume"], "flipped bit"):
            self.told["flipped bits refused"] += 1
            shutil.rmtree(out)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hashes(run: Path) -> dict[str, str]:
    files = (path for path in run.rglob("*") if path.is_file())
    return {str(path.relative_to(run)): digest(path) for path in files if path.name not in TELL_TIME}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("engine", type=Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"), help="repeats the same disturbances")
    parser.add_argument("--positions", type=int, default=40, help="where rocks start, four each: fewer for a slow engine")
    parser.add_argument("--keep", action="store_true", help="keep the files after a failure")
    given = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="couloir-soak-"))
    print(f"seed {given.seed}, {given.minutes:g} minutes, in {place}", flush=True)
    soak = Soak(given.engine.resolve(), place, given.seed, given.positions)
    rounds = 0
    try:
        soak.begin()
        end = time.monotonic() + 60 * given.minutes
        while rounds == 0 or time.monotonic() < end:
            soak.round()
            rounds += 1
        now = {path.name: digest(path) for path in (soak.project, place / "dem.asc")}
        if now != soak.inputs:
            raise Wrong("an input has changed")
        soak.compare(place / "whole")
    except Wrong as wrong:
        print(f"FAILED in round {rounds + 1} (seed {given.seed}): {wrong}", file=sys.stderr)
        if not given.keep:
            shutil.rmtree(place, ignore_errors=True)
        return 1
    shutil.rmtree(place, ignore_errors=True)
    for what, count in sorted(soak.told.items()):
        print(f"{count:6}  {what}")
    print(f"{rounds} rounds, all ended in the bytes of the undisturbed run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
