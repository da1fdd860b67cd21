#!/usr/bin/env python3
"""Proves what `make dist` made: in bare Debian systems, beside another GDAL, against the engine that links the system's.

Each package (archive, .deb, wheel) is installed into a root made by debootstrap that has no compiler, no GDAL and no
network, and runs --version, check, prepare with reprojection, the sample valley and its report with an empty environment.
Transformations must agree with those of the reference engine to the millimetre, layers to the bit. Needs root.
"""

from __future__ import annotations

import argparse
import array
import csv
import filecmp
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEBIAN = "http://deb.debian.org/debian"
#: Switzerland, Austria (two), Germany's UTM zone, the world (two): around the corner where all of them may be used.
SYSTEMS = ["EPSG:2056", "EPSG:31287", "EPSG:31254", "EPSG:25832", "EPSG:4326", "EPSG:3857"]
POINTS = [(9.6 + 0.2 * i, 46.9 + 0.1 * k) for i in range(5) for k in range(5)]
#: A thousandth of a metre, of a degree of latitude as well.
MILLIMETRE = {"EPSG:4326": 0.001 / 111_320}
RASTERS = {"tif": "GTiff", "cog.tif": "COG", "asc": "AAIGrid", "vrt": "VRT", "xyz": "XYZ"}
PICTURES = {"png": "PNG", "jpg": "JPEG"}
VECTORS = {
    "gpkg": "GPKG", "shp": "ESRI Shapefile", "geojson": "GeoJSON", "fgb": "FlatGeobuf", "kml": "LIBKML", "kmz": "LIBKML",
    "dxf": "DXF", "csv": "CSV", "sqlite": "SQLite", "tab": "MapInfo File", "gpx": "GPX",
}  # fmt: skip
#: All the C library consists of; nothing else may be needed.
C_LIBRARY = r"linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|util|resolv|gcc_s)\.so"
HOSTILE = ["GDAL_DATA", "PROJ_LIB", "PROJ_DATA", "PROJ_AUX_DB", "GDAL_DRIVER_PATH", "OGR_DRIVER_PATH", "GDAL_CONFIG_FILE"]
ROCKS = "12"
IN_ROOT = [shutil.which("unshare") or "unshare", "--net", shutil.which("chroot") or "/usr/sbin/chroot"]


class Failed(Exception):
    """What the packages do not do, in one sentence."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--reference", type=Path, default=ROOT / "target" / "release" / "couloir", help="engine of `make build`"
    )
    parser.add_argument("--roots", type=Path, default=ROOT / "build" / "roots", help="made there unless they exist")
    parser.add_argument("--releases", nargs="+", default=["bullseye", "bookworm", "trixie"])
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("dist-smoke: chroot and debootstrap need root")
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="couloir-smoke-") as scratch:
            prove(arguments, Path(scratch))
    except Failed as error:
        sys.exit(f"dist-smoke: {error}")
    print(f"all packages do what they should, in {(time.monotonic() - started) / 60:.1f} minutes")


def prove(arguments: argparse.Namespace, scratch: Path) -> None:
    document = json.loads((arguments.dist / "versions.json").read_text())
    for name, entry in document["files"].items():
        if hashlib.sha256((arguments.dist / name).read_bytes()).hexdigest() != entry["sha256"]:
            raise Failed(f"{name} is not what versions.json says")
    material = scratch / "material"
    make_material(material, arguments.reference)
    wanted = Results(material, Caller(arguments.reference), "reference").all()
    programs = set()
    for release in arguments.releases:
        for kind, pattern in (("archive", "couloir-*-linux.tar.gz"), ("deb", "couloir_*.deb"), ("wheel", "couloir-*.whl")):
            package = next(arguments.dist.glob(pattern))
            base = root_of(arguments.roots, release, with_python=kind == "wheel")
            with Overlay(base, scratch / "overlay") as root:
                shutil.copytree(material, root / "material")
                program = install(kind, package, root)
                programs.add(hashlib.sha256((root / program.lstrip("/")).read_bytes()).hexdigest())
                caller = Caller(program, root)
                said = caller.run("--version").split()[1]
                if said != document["engine"]:
                    raise Failed(f"{package.name} in {release} says version {said}")
                expect_only_the_c_library(caller, root)
                # The program is the same in all packages: what does not depend on how it came there is tried once.
                found = Results(root / "material", caller, "out").all(whole=kind == "archive")
                print(f"{release:9} {kind:8} {compare(found, wanted)}", flush=True)
                # Of what PROJ computes the last digit is the C library's; rocks fall without it.
                first = scratch / "first"
                if first.exists():
                    expect_same_files(found / "run", first, f"{release}, {kind}: the system and the way of installing")
                else:
                    shutil.copytree(found / "run", first)
                if kind == "archive":
                    hostile = dict.fromkeys(HOSTILE, "/material/hostile")
                    again = Results(root / "material", Caller(program, root, hostile), "again").all()
                    expect_same_files(found, again, f"{release}: tables and drivers of another GDAL")
    if len(programs) != 1:
        raise Failed("the packages do not hold the same program")
    beside = unpack(next(arguments.dist.glob("couloir-*-linux.tar.gz")), scratch / "beside")
    shutil.copytree(material, scratch / "here")
    found = Results(scratch / "here", Caller(beside), "out").all()
    print(f"beside the system's GDAL {compare(found, wanted)}")


class Caller:
    """Runs an engine with an environment that holds nothing but what is given: here, or in a root without network."""

    def __init__(self, program: Path | str, root: Path | None = None, environment: dict[str, str] | None = None) -> None:
        self.program, self.root, self.environment = str(program), root, environment or {}

    def run(self, *words: str, program: str | None = None) -> str:
        command = [program or self.program, *words]
        if self.root is not None:
            assigned = [f"{name}={value}" for name, value in self.environment.items()]
            command = [*IN_ROOT, str(self.root), "/usr/bin/env", "-i", *assigned, *command]
        result = subprocess.run(command, env={}, capture_output=True, text=True)
        if result.returncode != 0:
            raise Failed(f"'{' '.join(command)}' ended with {result.returncode}: {result.stderr.strip()[-600:]}")
        return result.stdout

    def path(self, file: Path) -> str:
        """How the engine sees a file."""
        return str(file) if self.root is None else f"/{file.relative_to(self.root)}"


class Results:
    """Everything one engine makes of the material, in a folder of its own."""

    def __init__(self, material: Path, caller: Caller, name: str) -> None:
        self.material, self.caller, self.out = material, caller, material / name

    def all(self, whole: bool = True) -> Path:
        self.out.mkdir()
        see, run = self.caller.path, self.caller.run
        valley, site = self.material / "valley" / "project.yaml", self.out / "site"
        run("check", see(valley))
        run("prepare", "--config", see(self.material / "borderland" / "prepare.yaml"), "--out", see(site))
        run("check", see(site / "project.yaml"))
        run("run", see(valley), "--limit", ROCKS, "--out", see(self.out / "run"), "--progress", "none")
        run("report", see(self.out / "run"), "--language", "de")
        if not (self.out / "run" / "report.html").is_file():
            raise Failed(f"{self.caller.program} wrote no report")
        if not whole:
            return self.out
        for source, target in itertools.permutations(SYSTEMS, 2):
            name = f"{source[5:]}-{target[5:]}.csv"
            run("reproject", see(self.material / f"{source[5:]}.gpkg"), see(self.out / name), "--crs", target)
        for folder, ending in (("rasters", "tif"), ("vectors", "geojson")):
            for file in sorted((self.material / folder).iterdir()):
                if not file.name.endswith((".prj", ".shx", ".dbf", ".cpg", ".aux.xml", ".map", ".dat", ".id", ".wld")):
                    self.read(file, folder, ending)
        return self.out

    def read(self, file: Path, folder: str, ending: str) -> None:
        source = self.caller.path(file)
        if file.suffix == ".zip":
            source = f"/vsizip/{source}/{file.stem}"
        options = ["--source-crs", "EPSG:2056"] if file.suffix in (".asc", ".xyz", ".csv", ".dxf", ".png", ".jpg") else []
        options += ["--force"] if file.suffix in (".png", ".jpg") else []
        out = self.out / folder / f"{file.name}.{ending}"
        out.parent.mkdir(exist_ok=True)
        layer = "|layername=tracks" if file.suffix == ".gpx" else ""
        self.caller.run("reproject", source + layer, self.caller.path(out), "--crs", "EPSG:25832", *options)


def tool(*command: str | Path) -> None:
    """Runs a program of the system's GDAL."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise Failed(f"'{' '.join(map(str, command))}' failed: {result.stderr.strip()[-300:]}")


def make_material(folder: Path, reference: Path) -> None:
    """Projects, points in every CRS, and one file of every format, written by the system's GDAL."""
    for sample in ("valley", "borderland"):
        shutil.copytree(ROOT / "sample_projects" / sample, folder / sample)
    hostile = folder / "hostile"
    hostile.mkdir()
    for name in ("proj.db", "gdalvrt.xsd", "gcs.csv", "header.dxf", "gdal_Evil.so", "proj.ini"):
        (hostile / name).write_text("not what you think\n")
    features = [
        {"type": "Feature", "properties": {"n": n}, "geometry": {"type": "Point", "coordinates": point}}
        for n, point in enumerate(POINTS)
    ]
    points = folder / "points.geojson"
    points.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    for crs in SYSTEMS:
        tool(reference, "reproject", points, folder / f"{crs[5:]}.gpkg", "--crs", crs)
    (folder / "rasters").mkdir()
    dem = folder / "valley" / "dem.tif"
    small = folder / "small.tif"
    tool("gdal_translate", "-q", "-srcwin", "100", "100", "60", "50", dem, small)
    for ending, driver in RASTERS.items():
        tool("gdal_translate", "-q", "-of", driver, small, folder / "rasters" / f"dem.{ending}")
    vrt = folder / "rasters" / "dem.vrt"
    vrt.write_text(re.sub(r'relativeToVRT="\d">[^<]*<', 'relativeToVRT="1">dem.tif<', vrt.read_text()))
    for ending, driver in PICTURES.items():
        out = folder / "rasters" / f"picture.{ending}"
        tool("gdal_translate", "-q", "-of", driver, "-ot", "Byte", "-scale", "-co", "WORLDFILE=YES", small, out)
    (folder / "vectors").mkdir()
    for ending, driver in VECTORS.items():
        source, extra = folder / "valley" / "release.gpkg", []
        if ending in ("dxf", "gpx"):
            source = folder / "valley" / "lines.gpkg"
        if ending == "gpx":
            extra = ["-t_srs", "EPSG:4326", "-nlt", "MULTILINESTRING", "-nln", "tracks", "-dsco", "GPX_USE_EXTENSIONS=YES"]
        if ending == "dxf":
            extra = ["-select", ""]
        if ending == "csv":
            extra = ["-lco", "GEOMETRY=AS_WKT"]
        tool("ogr2ogr", "-f", driver, *extra, folder / "vectors" / f"release.{ending}", source)
    for file in (folder / "rasters" / "dem.tif", folder / "vectors" / "release.geojson"):
        shutil.make_archive(str(file), "zip", file.parent, file.name)


def root_of(roots: Path, release: str, with_python: bool) -> Path:
    """A bare system; pip needs Python, which a bare one has not."""
    root = roots / (f"{release}-python" if with_python else release)
    if not (root / "usr").is_dir():
        print(f"making {root}", flush=True)
        extra = ["--include=python3-venv"] if with_python else []
        tool("debootstrap", "--variant=minbase", *extra, release, root, DEBIAN)
    for program in ("cc", "gcc", "gdalinfo", "proj"):
        if (root / "usr" / "bin" / program).exists():
            raise Failed(f"{root} is not bare: it has {program}")
    return root


class Overlay:
    """A root that can be changed and thrown away."""

    def __init__(self, base: Path, place: Path) -> None:
        self.base, self.place = base, place

    def __enter__(self) -> Path:
        for name in ("upper", "work", "root"):
            (self.place / name).mkdir(parents=True)
        options = f"lowerdir={self.base.resolve()},upperdir={self.place / 'upper'},workdir={self.place / 'work'}"
        tool("mount", "-t", "overlay", "overlay", "-o", options, self.place / "root")
        return self.place / "root"

    def __exit__(self, *_: object) -> None:
        tool("umount", self.place / "root")
        shutil.rmtree(self.place)


def unpack(archive: Path, folder: Path) -> Path:
    shutil.unpack_archive(archive, folder)
    return next(folder.glob("*/bin/couloir"))


def install(kind: str, package: Path, root: Path) -> str:
    """As a person would, without network; gives the program's place in the root."""
    inside = Caller("/usr/bin/env", root, {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    shutil.copy(package, root / package.name)
    if kind == "archive":
        return f"/{unpack(package, root / 'opt').relative_to(root)}"
    if kind == "deb":
        inside.run("dpkg", "-i", f"/{package.name}")
        return "/usr/bin/couloir"
    inside.run("python3", "-m", "venv", "/opt/venv")
    inside.run("/opt/venv/bin/pip", "install", "--no-index", f"/{package.name}")
    return "/opt/venv/bin/couloir"


def expect_only_the_c_library(caller: Caller, root: Path) -> None:
    needed = caller.run(caller.program, program="/usr/bin/ldd") if (root / "usr/bin/ldd").exists() else ""
    other = [line.strip() for line in needed.splitlines() if not re.search(C_LIBRARY, line)]
    if not needed or other:
        raise Failed(f"{caller.program} needs more than the C library: {other}")


def compare(found: Path, wanted: Path) -> str:
    """Transformations to the millimetre, values of layers to the bit, prepared heights to a millimetre."""
    worst, transformed = 0.0, sorted(file.name for file in found.glob("*-*.csv"))
    for name in transformed:
        target = "EPSG:" + name.split("-")[1].split(".")[0]
        ours, theirs = (sorted(positions(folder / name)) for folder in (found, wanted))
        if len(ours) != len(POINTS) or len(theirs) != len(POINTS):
            raise Failed(f"{name}: {len(ours)} and {len(theirs)} points instead of {len(POINTS)}")
        unit = MILLIMETRE.get(target, 0.001)
        off = max(abs(a - b) / unit for one, other in zip(ours, theirs) for a, b in zip(one[1:], other[1:]))
        if not off < 1.0:
            raise Failed(f"{name}: {off:.2f} mm off")
        worst = max(worst, off)
    layers = sorted(file.relative_to(wanted) for file in wanted.glob("run/**/*.tif"))
    same = 0
    for layer in layers:
        if not (found / layer).is_file() or bits(found / layer) != bits(wanted / layer):
            raise Failed(f"{layer} has other values than the reference's")
        same += filecmp.cmp(found / layer, wanted / layer, shallow=False)
    off = 0.0
    rasters = sorted(file.relative_to(found) for file in (*found.glob("site/**/*.tif"), *found.glob("rasters/*.tif")))
    for file in rasters:
        a, b = values(found / file), values(wanted / file)
        if len(a) != len(b):
            raise Failed(f"{file.name} has another size")
        # Decoders of JPEG differ by a grey level or two, and neighbours are averaged. Heights: a millimetre, of which single
        # precision takes 0.12 mm above 1,024 m.
        step = 3.0 if file.name.startswith("picture") else 1e-3
        off = max(off, *(abs(x - y) / step for x, y in zip(a, b) if x == x or y == y))
        if not off <= 1.0:
            raise Failed(f"{file.name} differs from the reference's by {off * step}")
    vectors = sorted(found.glob("vectors/*.geojson"))
    for file in vectors:
        ours, theirs = (sorted(corners(folder / "vectors" / file.name)) for folder in (found, wanted))
        if len(ours) != len(theirs) or any(abs(a - b) > 0.011 for p, q in zip(ours, theirs) for a, b in zip(p, q)):
            raise Failed(f"{file.name} has other corners than the reference's")
    formats = len(list(found.glob("rasters/*.tif"))) + len(vectors)
    return (
        f"{len(layers)} layers with the same values ({same} files of the same bytes), prepared heights within {off:.2f} of what is allowed, "
        f"{len(transformed)} transformations within {worst:.4f} mm, {formats} formats"
    )


def positions(file: Path) -> list[tuple[int, float, float]]:
    with file.open(newline="") as text:
        rows = list(csv.DictReader(text))
    # The column's name depends on GDAL's version.
    points = [(int(row["n"]), next(value for value in row.values() if "POINT" in value)) for row in rows]
    numbers = [(n, re.findall(r"-?[\d.]+(?:e-?\d+)?", text)) for n, text in points]
    return [(n, float(found[0]), float(found[1])) for n, found in numbers]


def corners(file: Path) -> list[tuple[float, ...]]:
    """All positions of a GeoJSON file in metres, to the centimetre: sorting must not hang on the last digit."""

    def inside(value: object) -> list[tuple[float, ...]]:
        if isinstance(value, list) and value and isinstance(value[0], (int, float)):
            return [(round(value[0], 2), round(value[1], 2))]
        return [point for part in value for point in inside(part)] if isinstance(value, list) else []

    features = json.loads(file.read_text())["features"]
    return [
        point for feature in features if feature["geometry"] for point in inside(feature["geometry"].get("coordinates", []))
    ]


def values(file: Path) -> array.array:
    """All cells of all bands, read by the system's GDAL."""
    with tempfile.TemporaryDirectory() as scratch:
        raw = Path(scratch) / "raw"
        tool("gdal_translate", "-q", "-of", "ENVI", "-ot", "Float64", file, raw)
        numbers = array.array("d")
        numbers.frombytes(raw.read_bytes())
    return numbers


def bits(file: Path) -> bytes:
    """The same to the bit: nodata written as NaN compares as itself."""
    return values(file).tobytes()


def expect_same_files(one: Path, other: Path, what: str) -> None:
    for file in sorted(one.rglob("*")):
        twin = other / file.relative_to(one)
        if file.suffix in (".tif", ".csv", ".geojson") and (not twin.is_file() or file.read_bytes() != twin.read_bytes()):
            raise Failed(f"{what} change {file.relative_to(one)}")


if __name__ == "__main__":
    main()
