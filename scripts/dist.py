#!/usr/bin/env python3
"""Makes everything that is released, in dist/: archive, Debian package, wheel, plugin, checksums, versions.json.

The same script on every system and in every workflow. It builds the engine with GDAL and PROJ compiled in (feature
`bundled`), packs it, and lets the packed engine run the sample. What a system cannot make (a .deb outside Linux) is left
out and said.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
TOOLS = ROOT / "build" / "dist-venv"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "bundled"
# Debian 10, Ubuntu 20.04 and RHEL 8 have this C library; pip calls it manylinux_2_28.
OLDEST_GLIBC = "2.28"
TOOL_VERSIONS = ["maturin==1.16.0", "ziglang==0.17.0"]
# Of GDAL's, for which gdal-src has no feature: the algorithms of the program `gdal`, a tenth of all there is to compile, are left
# out; that x86-64 has SSE and AVX need not be tried, for each of which zig would compile its C++ library anew.
CMAKE_SWITCHES = " ".join(
    ["-DGDAL_ENABLE_ALGORITHMS=OFF"]
    + [f"-DHAVE_{header}mmintrin_h=1" for header in "xetsi"]
    + [f"-Dtest_{instructions}=1" for instructions in ("sse", "sse2", "ssse3", "sse4.1", "avx", "avx2")]
)
FEATURES = ["--no-default-features", "--features", "bundled"]
# Every file has this date, so that the same sources give the same archives.
DATE = int(os.environ.get("SOURCE_DATE_EPOCH", "1767225600"))

WINDOWS = sys.platform == "win32"
LINUX = sys.platform.startswith("linux")
PROGRAM = "couloir.exe" if WINDOWS else "couloir"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skip-trial", action="store_true", help="do not let the packed engine run the sample")
    arguments = parser.parse_args()
    install_tools()
    clear()
    wheel = build_wheel()
    with tempfile.TemporaryDirectory() as scratch:
        engine = unpack_engine(wheel, Path(scratch))
        folder = fill(Path(scratch) / f"couloir-{version()}-{system()}", engine)
        archive = pack(folder)
        if shutil.which("dpkg-deb"):
            debian_package(folder, Path(scratch) / "deb")
        else:
            print("no dpkg-deb here: the .deb is left out")
        shutil.copy(ROOT / "build" / "couloir.zip", DIST / f"couloir-qgis-plugin-{version()}.zip")
        describe(engine)
    if not arguments.skip_trial:
        trial(archive)
    for file in sorted(DIST.iterdir()):
        print(f"{file.stat().st_size / 1e6:7.1f} MB  {file.relative_to(ROOT)}")


def clear() -> None:
    """Removes what an earlier call made, by its own list, and nothing else."""
    DIST.mkdir(exist_ok=True)
    sums = DIST / "SHA256SUMS"
    listed = [line.split("  ", 1)[1] for line in sums.read_text().splitlines()] if sums.exists() else []
    for name in [*listed, *(["versions.json", sums.name] if listed else [])]:
        (DIST / name).unlink(missing_ok=True)
    # A wheel of a call that ended early.
    for wheel in DIST.glob("couloir-*.whl"):
        wheel.unlink()
    left = sorted(file.name for file in DIST.iterdir())
    if left:
        sys.exit(f"make dist: dist/ holds {', '.join(left)}, which it did not make; move that away")


def run(*command: str | Path, **options: Any) -> str:
    """Runs a command and gives what it printed; its failure is ours, in one sentence."""
    environment = {**os.environ, "PATH": f"{scripts_folder()}{os.pathsep}{os.environ['PATH']}", **options.pop("env", {})}
    result = subprocess.run(
        [str(part) for part in command], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, **options
    )
    if result.returncode != 0:
        sys.exit(f"make dist: '{' '.join(map(str, command))}' ended with {result.returncode}")
    return result.stdout


def scripts_folder() -> Path:
    return TOOLS / ("Scripts" if WINDOWS else "bin")


def install_tools() -> None:
    """maturin makes the wheel; zig stands in for the C compiler on Linux, so that old C libraries will do."""
    missing = [tool for tool in ("cmake", "sqlite3") if not shutil.which(tool)]
    if missing:
        sys.exit(f"make dist: {' and '.join(missing)} are needed to compile GDAL and PROJ; install them")
    if not (scripts_folder() / ("maturin.exe" if WINDOWS else "maturin")).exists():
        subprocess.run([sys.executable, "-m", "venv", str(TOOLS)], check=True)
        subprocess.run([scripts_folder() / "python", "-m", "pip", "install", "--quiet", *TOOL_VERSIONS], check=True)
    if not WINDOWS:
        # Stands before the system's in PATH.
        cmake = scripts_folder() / "cmake"
        cmake.write_text(f'#!/bin/sh\n[ "$1" = --build ] || set -- {CMAKE_SWITCHES} "$@"\nexec {shutil.which("cmake")} "$@"\n')
        cmake.chmod(0o755)


def version() -> str:
    return re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)


def system() -> str:
    """As archives are named: x86_64-linux, aarch64-linux, x86_64-windows, arm64-macos …"""
    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return f"{machine}-{'windows' if WINDOWS else 'macos' if sys.platform == 'darwin' else 'linux'}"


def rust_target() -> str:
    return re.search(r"host: (\S+)", run("rustc", "-vV")).group(1)


def build_wheel() -> Path:
    """Compiles the engine, once, into the wheel: `pip install couloir` puts `couloir` on PATH, there is no Python code in it.

    maturin refuses a program that needs more than the libraries its platform tag promises."""
    command = ["maturin", "build", "--release", "--locked", "--strip", *FEATURES, "--out", DIST, "--target", rust_target()]
    # Linkers and processors somebody prefers for himself are not for others.
    environment = {"CARGO_TARGET_DIR": str(TARGET), "SOURCE_DATE_EPOCH": str(DATE), "RUSTFLAGS": ""}
    if LINUX:
        command += ["--zig", "--compatibility", "manylinux_" + OLDEST_GLIBC.replace(".", "_")]
    if WINDOWS:
        environment["RUSTFLAGS"] = "-C target-feature=+crt-static"
    run(*command, env=environment)
    return next(DIST.glob("couloir-*.whl"))


def unpack_engine(wheel: Path, folder: Path) -> Path:
    """The very program of the wheel, for all other packages."""
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if name.endswith(f".data/scripts/{PROGRAM}"))
        engine = folder / PROGRAM
        engine.write_bytes(packed.read(name))
    engine.chmod(0o755)
    return engine


def fill(folder: Path, engine: Path) -> Path:
    """What the archive holds, laid out as a person looks for it."""
    (folder / "bin").mkdir(parents=True)
    shutil.copy(engine, folder / "bin" / PROGRAM)
    for name in ("README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "CITATION.cff"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "LICENSES.txt").write_text(licences(), encoding="utf-8")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copytree(ROOT / "sample_projects" / "valley", folder / "sample_projects" / "valley")
    pages = folder / "share" / "man" / "man1"
    pages.mkdir(parents=True)
    program = folder / "bin" / PROGRAM
    (pages / "couloir.1").write_text(run(program, "man"), encoding="utf-8")
    for verb in run(program, "man", "--list").split():
        (pages / f"couloir-{verb}.1").write_text(run(program, "man", verb), encoding="utf-8")
    for shell, place in {
        "bash": "share/bash-completion/completions/couloir",
        "zsh": "share/zsh/site-functions/_couloir",
        "fish": "share/fish/vendor_completions.d/couloir.fish",
        "powershell": "share/powershell/couloir.ps1",
    }.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(run(program, "completions", shell), encoding="utf-8")
    run(sys.executable, ROOT / "scripts" / "pack_plugin.py", "--pack-only")
    shutil.copy(ROOT / "build" / "couloir.zip", folder / "couloir-qgis-plugin.zip")
    # For what is unpacked; *Install engine…* of the plugin looks at it.
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = "".join(f"{sha256(file)}  {file.relative_to(folder).as_posix()}\n" for file in files)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return folder


def licences() -> str:
    """The licence of everything that is inside the program, as its authors deliver it."""
    arguments = ["--format-version", "1", "--locked", "--filter-platform", rust_target(), *FEATURES]
    metadata = json.loads(run("cargo", "metadata", *arguments))
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    inside, waiting = set(), [metadata["resolve"]["root"]]
    while waiting:
        package = waiting.pop()
        if package not in inside:
            inside.add(package)
            kinds = nodes[package]["deps"]
            waiting += [d["pkg"] for d in kinds if any(kind["kind"] is None for kind in d["dep_kinds"])]
    parts = [
        "Couloir is licensed under MIT or Apache-2.0, at your option (LICENSE-MIT, LICENSE-APACHE). Compiled into it are:\n"
    ]
    for package in sorted((p for p in metadata["packages"] if p["id"] in inside), key=lambda p: (p["name"], p["version"])):
        if package["id"] == metadata["resolve"]["root"]:
            continue
        parts.append(f"{'=' * 100}\n{package['name']} {package['version']}, {package['license'] or 'licence below'}\n")
        folder = Path(package["manifest_path"]).parent
        texts = sorted(
            p
            for p in folder.iterdir()
            if p.is_file() and re.match(r"(?i)(licen[sc]e|copying|copyright|notice|unlicense)", p.name)
        )
        # GDAL and GEOS as their crates hold them.
        texts += [folder / name for name in ("source/LICENSE.TXT", "source/COPYING") if (folder / name).exists()]
        parts += [text.read_text(encoding="utf-8", errors="replace") for text in texts]
        if package["name"] == "proj-sys":
            parts.append(proj_licence(folder))
    parts.append(f"{'=' * 100}\n" + (ROOT / "packaging" / "other-licences.txt").read_text(encoding="utf-8"))
    return "\n".join(parts)


def proj_licence(folder: Path) -> str:
    source = next((folder / "PROJSRC").glob("proj-*.tar.gz"))
    with tarfile.open(source) as archive:
        member = next(m for m in archive.getmembers() if m.name.endswith("/COPYING"))
        return "PROJ:\n" + archive.extractfile(member).read().decode()


def pack(folder: Path) -> Path:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if WINDOWS:
        archive = DIST / f"{folder.name}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for file in files:
                entry = zipfile.ZipInfo(f"{folder.name}/{file.relative_to(folder).as_posix()}", (2026, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o755 if file.name == PROGRAM else 0o644) << 16
                out.writestr(entry, file.read_bytes())
        return archive
    archive = DIST / f"{folder.name}.tar.gz"
    with (
        gzip.GzipFile(archive, "wb", mtime=DATE) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as out,
    ):
        for file in files:
            data = file.read_bytes()
            entry = tarfile.TarInfo(f"{folder.name}/{file.relative_to(folder).as_posix()}")
            entry.size, entry.mtime, entry.mode = len(data), DATE, 0o755 if file.name == PROGRAM else 0o644
            out.addfile(entry, io.BytesIO(data))
    return archive


def debian_package(folder: Path, root: Path) -> None:
    """Everything below /usr, as Debian has it; needs nothing but the C library."""
    usr = root / "usr"
    shutil.copytree(folder / "share", usr / "share")
    (usr / "bin").mkdir()
    shutil.copy(folder / "bin" / PROGRAM, usr / "bin" / PROGRAM)
    documents = usr / "share" / "doc" / "couloir"
    shutil.copytree(folder / "docs", documents / "docs")
    shutil.copytree(folder / "sample_projects", documents / "sample_projects")
    shutil.rmtree(usr / "share" / "powershell")
    (usr / "share" / "couloir").mkdir()
    shutil.copy(folder / "couloir-qgis-plugin.zip", usr / "share" / "couloir")
    for name in ("README.md", "CHANGELOG.md"):
        shutil.copy(folder / name, documents / name)
    (documents / "copyright").write_bytes(
        b"".join((folder / name).read_bytes() for name in ("LICENSE-MIT", "LICENSE-APACHE", "LICENSES.txt"))
    )
    for page in (usr / "share" / "man" / "man1").iterdir():
        (page.parent / (page.name + ".gz")).write_bytes(gzip.compress(page.read_bytes(), mtime=DATE))
        page.unlink()
    (usr / "share" / "zsh" / "site-functions").rename(usr / "share" / "zsh" / "vendor-completions")
    architecture = run("dpkg", "--print-architecture").strip()
    size = sum(file.stat().st_size for file in usr.rglob("*") if file.is_file()) // 1024
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(
        f"Package: couloir\nVersion: {version()}-1\nArchitecture: {architecture}\nMaintainer: The Couloir authors <couloir-rockfall@users.noreply.github.com>\n"
        f"Installed-Size: {size}\nDepends: libc6 (>= {OLDEST_GLIBC})\nRecommends: qgis\nSection: science\nPriority: optional\n"
        "Homepage: https://github.com/couloir-rockfall/couloir\n"
        "Description: rockfall hazard simulation with real, angular rocks\n"
        " Simulates ensembles of rigid convex polyhedra down real terrain and writes GeoTIFF\n"
        " hazard layers, trajectories, barrier sheets, hazard zones and a report.\n"
    )
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path.name == PROGRAM and path.parent.name == "bin" else 0o644)
        os.utime(path, (DATE, DATE))
    name = DIST / f"couloir_{version()}-1_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, name, env={"SOURCE_DATE_EPOCH": str(DATE)})


def describe(engine: Path) -> None:
    """versions.json, which the plugin and people's scripts read; checksums as `sha256sum -c` takes them."""
    files = {file.name: {"sha256": sha256(file), "bytes": file.stat().st_size} for file in sorted(DIST.iterdir())}
    text = run(engine, "--version").split()[1]
    document = {"version": version(), "engine": text, "system": system(), "files": files}
    (DIST / "versions.json").write_text(json.dumps(document, indent=2) + "\n")
    (DIST / "SHA256SUMS").write_text("".join(f"{entry['sha256']}  {name}\n" for name, entry in files.items()))


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def trial(archive: Path) -> None:
    """The packed engine, with an empty environment: version, check, reprojection and a small run of the sample."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.unpack_archive(archive, scratch)
        folder = next(Path(scratch).iterdir())
        environment = {"SYSTEMROOT": os.environ["SYSTEMROOT"]} if WINDOWS else {}
        sample = folder / "sample_projects" / "valley"
        for command in (
            ["--version"],
            ["check", sample / "project.yaml"],
            ["reproject", next(sample.glob("**/*.tif")), Path(scratch) / "there.tif", "--crs", "EPSG:4326"],
            ["run", sample / "project.yaml", "--limit", "20", "--out", Path(scratch) / "run"],
        ):
            result = subprocess.run([folder / "bin" / PROGRAM, *command], env=environment, capture_output=True, text=True)
            if result.returncode != 0:
                sys.exit(f"make dist: the packed engine failed at {command[0]}: {result.stderr.strip()}")
        print("the packed engine runs the sample with an empty environment")


if __name__ == "__main__":
    main()
