"""Installing an engine from a file somebody downloaded or was given: release archive, wheel, folder or the program itself.

Nothing is fetched from the network. The program is checked, unpacked into the QGIS profile and started once before it
takes the place of the one before, which is kept for going back.
"""

from __future__ import annotations

import filecmp
import gzip
import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path

from . import engine
from .errors import EngineMissing
from .i18n import tr

#: How the program's name ends in archives and wheels.
INSIDE = (f"/bin/{engine.EXECUTABLE}", f".data/scripts/{engine.EXECUTABLE}")


def kept() -> Path:
    """The engine that was installed before."""
    return engine.data_folder() / "previous" / engine.EXECUTABLE


def install(source: Path) -> tuple[engine.Engine, bool]:
    """Installs the engine; also tells whether there was a checksum to compare with."""
    file = engine.executable_in(source)
    if file is None:
        raise EngineMissing(tr("“{}” is no archive or wheel of the engine, and no folder that holds it.").format(source))
    checked = _compare_checksum(file)
    program = _program(file)
    folder = engine.data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        fresh = Path(scratch) / engine.EXECUTABLE
        fresh.write_bytes(program)
        fresh.chmod(0o755)
        _try(fresh, source)
        target = folder / engine.EXECUTABLE
        if target.is_file() and not filecmp.cmp(target, fresh, shallow=False):
            kept().parent.mkdir(exist_ok=True)
            os.replace(shutil.copy2(target, scratch + "/before"), kept())
        os.replace(fresh, target)
    # A place set by hand would win over the profile.
    engine.configure("")
    return engine.find(), checked


def go_back() -> tuple[engine.Engine, bool]:
    """Exchanges the engine with the one installed before; doing it again undoes it."""
    target, before = engine.data_folder() / engine.EXECUTABLE, kept()
    _try(before, before)
    aside = before.with_name("exchange")
    if target.is_file():
        os.replace(target, aside)
    os.replace(before, target)
    if aside.is_file():
        os.replace(aside, before)
    engine.configure("")
    return engine.find(), True


def _try(fresh: Path, source: Path) -> None:
    """Starts it once where it will live."""
    try:
        engine.handshake(fresh, "")
    except EngineMissing as error:
        if hasattr(os, "statvfs") and os.statvfs(fresh).f_flag & os.ST_NOEXEC:
            words = tr(
                "No program can be started from “{}”: its drive is mounted without the right to execute (noexec). Unpack the "
                "engine on another drive and name it with Plugins ▸ Couloir ▸ Engine location…"
            )
            raise EngineMissing(words.format(engine.data_folder())) from None
        raise EngineMissing(str(error).replace(str(fresh), str(source))) from None


def _compare_checksum(file: Path) -> bool:
    """With the lists a release has: beside a downloaded file, and inside an unpacked archive."""
    for folder in file.parents[:2]:
        listed: dict[str, str] = {}
        try:
            lines = (line.split(None, 1) for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines())
            listed = {line[1].lstrip("*"): line[0].lower() for line in lines if len(line) == 2}
        except (OSError, ValueError):
            pass
        try:
            files = json.loads((folder / "versions.json").read_text("utf-8"))["files"]
            listed.update({name: str(entry["sha256"]).lower() for name, entry in files.items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        expected = listed.get(file.relative_to(folder).as_posix())
        if expected is not None:
            if hashlib.sha256(file.read_bytes()).hexdigest() != expected:
                words = tr(
                    "“{}” has another checksum than the list beside it says: download both again, from the same release."
                )
                raise EngineMissing(words.format(file))
            return True
    return False


def _program(file: Path) -> bytes:
    """The program in an archive or wheel, or the file as it is. Whole archives are read, so that missing ends show."""
    name = file.name.lower()
    try:
        if name.endswith((".zip", ".whl")):
            with zipfile.ZipFile(file) as packed:
                found = [packed.read(entry) for entry in packed.namelist() if f"/{entry}".endswith(INSIDE)]
        elif name.endswith((".tar.gz", ".tgz")):
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(file.read_bytes()))) as unpacked:
                members = [m for m in unpacked if m.isfile() and f"/{m.name}".endswith(INSIDE)]
                found = [unpacked.extractfile(member).read() for member in members]  # type: ignore[union-attr]
        else:
            found = [file.read_bytes()]
    except (EOFError, gzip.BadGzipFile, tarfile.TarError, zipfile.BadZipFile, zlib.error, NotImplementedError):
        raise EngineMissing(tr("“{}” is damaged or incomplete: download or copy it again.").format(file)) from None
    if not found:
        words = tr("“{}” holds no program {}: take the file of a release that is made for this system.")
        raise EngineMissing(words.format(file, engine.EXECUTABLE))
    return found[0]
