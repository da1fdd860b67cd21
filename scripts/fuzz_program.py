#!/usr/bin/env python3
"""Calls the engine on mutated files and looks that it ends as it should.

Usage: scripts/fuzz_program.py ENGINE [--cases 10000] [--seed N] [--verb NAME]

A small site, a run in parts, a whole run and a prepared folder are made once, with rasters and layers in all common formats.
Each case links what its verb needs, puts a mutated copy of one file (text, numbers, bytes, length) in its place and calls the verb with 2 GB of address
space and 20 s of computing (and ten minutes to wait for a busy machine). Whatever comes of it: no panic, no signal, no hang, and a refusal is one sentence. A verb that reads only
what the engine stored itself must refuse every change. Cases that fail are kept, and named; in the end the files all cases
were linked to must be as they were. Set TMPDIR to a folder in memory to spare the disk.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

RUNS = ("part1", "part2", "whole", "other")
LIMIT_BYTES, LIMIT_S, PATIENCE_S = 2_000_000_000, 20, 600
SQUARE = "[[[2600020, 1200055], [2600050, 1200055], [2600050, 1200070], [2600020, 1200070], [2600020, 1200055]]]"
PROJECT = """couloir: 1
title: Small site
crs: EPSG:2056
terrain: {dem: dem.asc, crs: EPSG:2056}
rocks:
  - {name: block, shape: equant, volume_m3: {distribution: log_normal, median: 0.5, sigma: 0.4, min: 0.1, max: 4}}
  - {name: scan, shape: {file: rock.obj}, mass_kg: {attribute: mass}}
release:
  - {name: cliff, scenario: rare, source: {file: release.geojson}, placement: {count: 3}, rocks_per_position: 1,
     frequency_per_year: {attribute: per_year}, direction: {azimuth_deg: 180}}
ground:
  default: medium
  layers: [{raster: codes.asc, crs: EPSG:2056, codes: {1: soft, 2: hard}}]
  mu_min: {raster: mu.asc, crs: EPSG:2056}
forest: {default: open, height_m: 20}
lines: [{name: road, source: {file: road.geojson}, segment_m: 10, dimensioning: {standard: onr_24810}}]
barriers: [{name: net, source: {file: road.geojson}, height_m: 4, capacity_kj: 1000}]
classification: {scheme: scheme.yaml}
statistics: {energies_kj: [30, 300]}
outputs: {trajectories: [geopackage], points_every_s: 0.5, max_trajectories: 5}
simulation: {seed: 7, time_step_s: 0.005}
stop: {max_time_s: 5}
"""
SCHEME = """name: Own scheme
source: nobody
quantile: 0.9
return_period: scenario
combine: exceedance
least_reach_probability: 0.001
intensities: [{name: weak, colour: "#ffffb2"}, {name: strong, from_kj: 300, colour: "#bd0026"}]
return_periods_years: [30, 300]
zones: [{id: yellow, name: Yellow, colour: "#ffff00"}, {id: red, name: Red, colour: "#ff0000"}]
matrix: [[yellow, yellow, none], [red, red, yellow]]
"""
RECIPE = """title: Prepared
dem: dem.asc
dem_crs: EPSG:2056
aoi: release.geojson
buffer_m: 40
crs: EPSG:2056
cell_m: 4
layers: [{name: ground, source: codes.asc, codes: {1: soft, 2: hard}, crs: EPSG:2056}]
release: [{source: release.geojson}]
lines: [{source: road.geojson, name: road}]
out: site
"""
STL = (
    "solid rock\n"
    + "".join(
        f"facet normal 0 0 0\nouter loop\n{''.join(f'vertex {x} {y} {z}{chr(10)}' for x, y, z in face)}endloop\nendfacet\n"
        for face in (
            ((0, 0, 0), (0, 1, 0), (1, 0, 0)),
            ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
            ((0, 0, 0), (0, 0, 1), (0, 1, 0)),
            ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        )
    )
    + "endsolid rock\n"
)
ODD_NUMBERS = [
    "0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "-0", "1e9", "99999999999999999999", "0x10", "1,5", "", "1e-9",
    "4294967296", "2147483648", "1.2.3", "--5", ".", "1e400",
]  # fmt: skip
ODD_WORDS = [
    "null", "~", "true", "[]", "{}", "*a", "&a x", "!!float 1", "'", '"', "\t", "../..", "/dev/zero", "\x1b[31m", "\u202e",
    "x" * 5000, "- - -", "EPSG:4326", "EPSG:0", "http://example.org/x", "/vsicurl/http://example.org/x",
]  # fmt: skip


ODD_BYTES = [b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\x01\0\0\0", b"\0\0\0\x10"]


def grid(value: Callable[[int, int], object]) -> str:
    rows = "\n".join(" ".join(str(value(column, row)) for column in range(20)) for row in range(20))
    return f"ncols 20\nnrows 20\nxllcorner 2600000\nyllcorner 1200000\ncellsize 4\nNODATA_value -9999\n{rows}\n"


def features(geometry: str) -> str:
    crs = '{"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}}'
    feature = f'{{"type": "Feature", "properties": {{"mass": 800, "per_year": 0.02}}, "geometry": {geometry}}}'
    return f'{{"type": "FeatureCollection", "crs": {crs}, "features": [{feature}]}}'


class Site:
    """Everything in order, made once."""

    def __init__(self, engine: Path, place: Path) -> None:
        self.engine, self.place = engine, place
        place.mkdir()
        texts = {
            "project.yaml": PROJECT,
            "scheme.yaml": SCHEME,
            "recipe.yaml": RECIPE,
            "rock.stl": STL,
            "dem.asc": grid(lambda c, r: f"{700 - 3.1 * r + c % 3 * 0.4:.2f}"),
            "codes.asc": grid(lambda c, _: 1 if c < 10 else 2),
            "mu.asc": grid(lambda c, _: 0.3 + 0.01 * c),
            "classes.csv": "code,class\n1,soft\n2,hard\n",
            "release.geojson": features(f'{{"type": "Polygon", "coordinates": {SQUARE}}}'),
            "road.geojson": features('{"type": "LineString", "coordinates": [[2600004, 1200030], [2600076, 1200034]]}'),
            "rock.xyz": "x y z\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 0.2\n",
            "rock.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n",
        }
        for name, text in texts.items():
            (place / name).write_text(text)
        for ending in ("gpkg", "shp", "fgb", "csv"):
            self.call(["reproject", "release.geojson", f"release.{ending}", "--crs", "EPSG:2056"])
        self.call(["reproject", "dem.asc", "dem.tif", "--source-crs", "EPSG:2056", "--crs", "EPSG:2056"])
        for name, old, new in (
            ("tif", "dem: dem.asc, crs: EPSG:2056", "dem: dem.tif"),
            ("gpkg", "release.geojson", "release.gpkg"),
            ("shp", "release.geojson", "release.shp"),
            ("fgb", "release.geojson", "release.fgb"),
            ("stl", "rock.obj", "rock.stl"),
            ("xyz", "rock.obj", "rock.xyz"),
        ):
            (place / f"{name}.yaml").write_text(PROJECT.replace(old, new, 1))
        for part in (1, 2):
            self.call(["run", "project.yaml", "--shard", f"{part}/2", "--out", f"part{part}"])
        self.call(["run", "project.yaml", "--out", "whole"])
        self.call(["run", "project.yaml", "--out", "other", "--seed", "9"])
        for hidden in place.rglob(".*.couloir.json"):
            hidden.unlink()

    def call(self, arguments: list[str]) -> None:
        done = subprocess.run([self.engine, *arguments], cwd=self.place, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"the seeds cannot be made: {arguments}: {done.stderr}")

    def cases(self) -> list[tuple[str, list[str], list[str]]]:
        """Name of the verb, files that may be mutated, arguments. A name with `!` must refuse every change."""
        prepared = ["prepare", "--dem", "dem.asc", "--dem-crs", "EPSG:2056", "--cell", "4", "--out", "site"]
        extent = "2600000,1200000,2600060,1200080"
        yaml = ["project.yaml", "project.yaml", "scheme.yaml"]
        shapes = ["release.shp", "release.shx", "release.dbf", "release.prj", "release.cpg"]
        stored = [
            str(p.relative_to(self.place))
            for p in sorted((self.place / "part1").rglob("*"))
            if p.is_file() and p.stat().st_size
        ]
        whole = self.place / "whole"
        # Not read by diff and profile: return periods have no difference.
        kept = [p for p in sorted(whole.glob("with*/layers/*.tif")) if not p.name.startswith("return_period")]
        # Flags and counts of sources are no quantities: differences leave both out, profiles the flags.
        layers = [str(p.relative_to(self.place)) for p in kept if p.stem not in ("sample_size_warning", "source_cells")]
        points = [str(p.relative_to(self.place)) for p in sorted(whole.glob("with*/trajectories/trajectory_points.gpkg"))]
        return [
            (
                "check",
                [*yaml, "dem.asc", "codes.asc", "mu.asc", "release.geojson", "road.geojson", "rock.obj"],
                ["check", "project.yaml"],
            ),
            ("check tif", ["dem.tif"], ["check", "tif.yaml"]),
            ("check gpkg", ["release.gpkg"], ["check", "gpkg.yaml"]),
            ("check shp", shapes, ["check", "shp.yaml"]),
            ("check fgb", ["release.fgb"], ["check", "fgb.yaml"]),
            ("check shape", ["rock.stl", "rock.xyz"], ["check", "FILE.yaml"]),
            (
                "run",
                [*yaml, "dem.asc", "release.geojson", "rock.obj"],
                ["run", "project.yaml", "--out", "out", "--limit", "3", "--threads", "2"],
            ),
            ("prepare", ["recipe.yaml", "dem.asc", "release.geojson"], ["prepare", "--config", "recipe.yaml"]),
            ("prepare tif", ["dem.tif"], ["prepare", "--dem", "dem.tif", "--cell", "4", "--out", "site"]),
            (
                "prepare layers",
                ["classes.csv", "codes.asc", "dem.asc"],
                [*prepared, "--layer", "ground=codes.asc", "--class-table", "classes.csv"],
            ),
            ("prepare release", [*shapes, "release.shp"], [*prepared, "--release", "release.shp"]),
            (
                "clip vector",
                ["release.geojson", "release.gpkg", "release.fgb", "release.shp", "release.csv"],
                ["clip", "FILE", "x.gpkg", "--extent", extent, "--source-crs", "EPSG:2056"],
            ),
            ("clip raster", ["dem.tif", "dem.asc"], ["clip", "FILE", "x.tif", "--extent", extent, "--source-crs", "EPSG:2056"]),
            ("clip area", ["release.gpkg", "release.geojson"], ["clip", "dem.tif", "x.tif", "--aoi", "FILE"]),
            (
                "reproject",
                ["dem.tif", "dem.asc", "release.gpkg", "release.shp", "release.fgb", "release.geojson"],
                ["reproject", "FILE", "x.ENDING", "--crs", "EPSG:21781", "--source-crs", "EPSG:2056"],
            ),
            ("show", yaml[:2], ["show", "project.yaml"]),
            (
                "trace",
                ["project.yaml", "dem.asc", "rock.obj"],
                ["trace", "project.yaml", "--release", "0", "--every", "1000", "-o", "x.csv"],
            ),
            (
                "compare",
                ["project.yaml"],
                ["compare", "project.yaml", "--limit", "2", "--models", "leine2021,lumped", "--out", "compared"],
            ),
            ("rocks", ["rock.obj", "rock.xyz", "rock.stl"], ["rocks", "FILE"]),
            ("merge!", stored, ["merge", "part1", "part2", "--out", "merged"]),
            ("classify scheme", ["scheme.yaml"], ["classify", "whole", "--scheme", "scheme.yaml"]),
            ("classify!", ["whole/results.bin", "whole/manifest.json"], ["classify", "whole", "--scheme", "norway"]),
            ("show run!", ["whole/manifest.json"], ["show", "whole"]),
            ("diff!", [*layers, "whole/report.json", "whole/manifest.json"], ["diff", "whole", "other", "--out", "difference"]),
            ("profile!", [*layers, "whole/manifest.json"], ["profile", "whole", "--line", "road.geojson", "--out", "profiled"]),
            ("profile line", ["road.geojson"], ["profile", "whole", "--line", "road.geojson", "--out", "profiled"]),
            ("profile tracks!", points, ["profile", "--tracks", "FILE", "--out", "profiled"]),
            (
                "release find",
                ["dem.tif", "dem.asc", "release.geojson"],
                ["release", "find", "dem.tif", "--only", "release.geojson", "--min-slope", "30", "--out", "x.gpkg"],
            ),
        ]


def mutate(data: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.choice([1, 1, 1, 2, 3, 5])):
        is_text = b"\0" not in data[:4096]
        data = (text_edit if is_text and dice.random() < 0.75 else byte_edit)(data, dice)
    return data


def text_edit(data: bytes, dice: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    numbers, lines = list(re.finditer(r"-?\d+(\.\d+)?", text)), text.split("\n")
    kind = dice.randrange(6)
    if kind <= 1 and numbers:
        found = dice.choice(numbers)
        return (text[: found.start()] + dice.choice(ODD_NUMBERS) + text[found.end() :]).encode()
    if kind == 2:
        words = list(re.finditer(r"[A-Za-z_]{2,}", text))
        if words:
            found = dice.choice(words)
            other = dice.choice(ODD_WORDS) if dice.random() < 0.5 else dice.choice(words).group()
            return (text[: found.start()] + other + text[found.end() :]).encode()
    at = dice.randrange(len(lines))
    if kind == 3:
        del lines[at]
    elif kind == 4:
        lines[at:at] = [lines[dice.randrange(len(lines))]] * dice.choice([1, 2, 500])
    else:
        lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)] + dice.choice(ODD_WORDS)
    return "\n".join(lines).encode()


def byte_edit(data: bytes, dice: random.Random) -> bytes:
    if not data:
        return dice.randbytes(dice.randrange(40))
    # Heads are small and steer the rest.
    at = dice.randrange(len(data) if dice.random() < 0.5 else min(len(data), 200))
    new = bytearray(data)
    kind = dice.randrange(6)
    if kind == 0:
        new[at] ^= 1 << dice.randrange(8)
    elif kind == 1:
        new[at : at + 4] = dice.choice(ODD_BYTES)
    elif kind == 2:
        del new[at:]
    elif kind == 3:
        del new[at : at + dice.choice([1, 4, 64])]
    elif kind == 4:
        new[at:at] = dice.randbytes(dice.choice([1, 4, 64]))
    else:
        other = dice.randrange(len(data))
        new[at : at + 16] = data[other : other + 16]
    return bytes(new)


def link(site: Path, here: Path, needed: set[str]) -> None:
    """The site with those of its runs that are needed; its files are linked, for copying takes longer than the engine."""
    shutil.copytree(
        site, here, copy_function=os.link, ignore=lambda _, names: [n for n in names if n in RUNS and n not in needed]
    )


def hashes(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def judge(code: int | None, said: str, verb: str, changed: bool) -> str | None:
    """What is wrong about how a call ended."""
    if code is None:
        return f"still waiting after {PATIENCE_S} s"
    if code == -signal.SIGXCPU:
        return None if verb in ("run", "compare", "trace") else f"still busy after {LIMIT_S} s"
    if code < 0 or code > 3 or "panicked" in said or "made a mistake" in said:
        return f"ended with {code}"
    if code == 0:
        return "took a changed file for a good one" if verb.endswith("!") and changed else None
    errors = [line for line in said.splitlines() if not line.startswith("warning: ")]
    if code != 2 and (len(errors) != 1 or not errors[0].startswith("error: ")):
        return f"ended with {code}, but said no single sentence"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("engine", type=Path)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--verb", help="only cases whose name begins so")
    given = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="couloir-fuzz-"))
    print(f"seed {given.seed}, {given.cases} cases, in {root}", flush=True)
    site = Site(given.engine.resolve(), root / "site")
    cases = [case for case in site.cases() if case[0].startswith(given.verb or "")]
    counts: Counter[str] = Counter()
    bad, begun, untouched = 0, time.monotonic(), hashes(site.place)

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 10))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    for number in range(given.cases):
        dice = random.Random(f"{given.seed} {number}")
        verb, files, arguments = dice.choice(cases)
        file = dice.choice(files)
        here = root / f"case{number}"
        link(site.place, here, {word.split("/")[0] for word in (*arguments, file)})
        before = (here / file).read_bytes()
        after = mutate(before, dice)
        (here / file).unlink()
        (here / file).write_bytes(after)
        ending = "tif" if file.startswith("dem") else "gpkg"
        words = {"FILE": file, "FILE.yaml": f"{file.rsplit('.')[-1]}.yaml", "x.ENDING": f"x.{ending}"}
        call = [str(site.engine), *(words.get(word, word) for word in arguments)]
        process = subprocess.Popen(
            call, cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=limits
        )
        try:
            said, code = process.communicate(timeout=PATIENCE_S)[1], process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            said, code = process.communicate()[1], None
        counts[f"{verb}: {'taken' if code == 0 else 'too long' if code in (None, -signal.SIGXCPU) else 'refused'}"] += 1
        wrong = judge(code, said, verb, after != before)
        if wrong:
            bad += 1
            print(f"case {number} in {here}: {' '.join(call[1:])} with {file} mutated {wrong}: {said[:500]}", flush=True)
        else:
            shutil.rmtree(here)
    for what, count in sorted(counts.items()):
        print(f"{count:6}  {what}")
    touched = sorted(name for name, _ in set(hashes(site.place).items()) ^ set(untouched.items()))
    if touched:
        bad += 1
        print(f"some case changed its inputs: {', '.join(touched)}")
    print(f"{given.cases} cases in {time.monotonic() - begun:.0f} s, {bad} ended as they must not")
    if not bad:
        shutil.rmtree(root)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
