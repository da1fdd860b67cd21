"""Packs build/couloir.zip and checks it as the official QGIS plugin repository does."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLUGIN = ROOT / "qgis_plugin" / "couloir"
ARCHIVE = ROOT / "build" / "couloir.zip"
TOOLS = Path(sys.executable).parent
KEPT = {".py", ".txt", ".json", ".svg", ".qm", ".qpt", ""}
SAMPLE = ROOT / "sample_projects" / "valley"
MAX_BYTES = 25_000_000
FIELDS = (
    "name", "qgisMinimumVersion", "qgisMaximumVersion", "description", "about", "version", "author", "email", "repository",
    "tracker", "homepage", "icon", "changelog", "tags", "hasProcessingProvider",
)  # fmt: skip


def pack() -> None:
    """One top-level folder; the same bytes for the same sources."""
    ARCHIVE.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(ARCHIVE, "w", zipfile.ZIP_DEFLATED) as archive:
        files = [
            (file, f"couloir/{file.relative_to(PLUGIN).as_posix()}")
            for file in sorted(PLUGIN.rglob("*"))
            if file.suffix in KEPT
        ]
        files += [
            (file, f"couloir/sample/{file.name}")
            for file in sorted(SAMPLE.iterdir())
            if file.suffix in (".yaml", ".tif", ".gpkg")
        ]
        for file, name in files:
            if file.is_file() and "__pycache__" not in file.parts:
                entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, file.read_bytes())


def rules() -> list[str]:
    """What the repository refuses."""
    faults = []
    with zipfile.ZipFile(ARCHIVE) as archive:
        names = archive.namelist()
        if {name.split("/")[0] for name in names} != {"couloir"}:
            faults.append("there must be one top-level folder")
        faults += [
            f"{wanted} is missing" for wanted in ("metadata.txt", "__init__.py", "LICENSE") if f"couloir/{wanted}" not in names
        ]
        binary = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
        faults += [f"{name} is a binary" for name in names if archive.read(name).startswith(binary)]
        faults += [f"{name} is hidden" for name in names if any(part.startswith(".") for part in name.split("/"))]
        metadata = configparser.ConfigParser(interpolation=None)
        metadata.read_string(archive.read("couloir/metadata.txt").decode("utf-8"))
        general = metadata["general"]
        faults += [f"metadata.txt lacks {field}" for field in FIELDS if not general.get(field, "").strip()]
        faults += [f"metadata.txt: HTML in {key}" for key, value in general.items() if re.search(r"<[a-zA-Z/]", value)]
        if f"couloir/{general.get('icon', '')}" not in names:
            faults.append("the icon named in metadata.txt is missing")
        if "engine" not in general.get("about", ""):
            faults.append("metadata.txt: about must state the external engine")
        if "General Public License" not in archive.read("couloir/LICENSE").decode("utf-8", "replace").title().replace(
            "Gnu", "GNU"
        ):
            faults.append("LICENSE is not the GPL")
    if ARCHIVE.stat().st_size > MAX_BYTES:
        faults.append(f"larger than {MAX_BYTES} bytes")
    return faults


def scans() -> list[str]:
    """Security scanners block an upload, flake8 advises."""
    faults = []
    bandit = subprocess.run([TOOLS / "bandit", "-q", "-r", str(PLUGIN)], capture_output=True, text=True)
    if bandit.returncode:
        faults.append(f"bandit:\n{bandit.stdout}")
    # It ends with 0 whatever it finds.
    secrets = subprocess.run(
        [TOOLS / "detect-secrets", "scan", "--all-files", str(PLUGIN)], capture_output=True, text=True, check=True
    )
    found = {file: rows for file, rows in json.loads(secrets.stdout)["results"].items() if "__pycache__" not in file}
    if found:
        faults.append(f"detect-secrets: {json.dumps(found, indent=1)}")
    flake8 = subprocess.run(
        [TOOLS / "flake8", "--max-line-length", "128", "--extend-ignore", "E203,E704,W503,QGS105,QGS2", str(PLUGIN)],
        capture_output=True,
        text=True,
    )
    if flake8.returncode:
        faults.append(f"flake8:\n{flake8.stdout}{flake8.stderr}")
    return faults


def main() -> int:
    pack()
    if "--pack-only" in sys.argv:
        return 0
    faults = [*rules(), *scans()]
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(f"{ARCHIVE.relative_to(ROOT)} ({ARCHIVE.stat().st_size / 1000:.0f} kB) is ready for the plugin repository")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
