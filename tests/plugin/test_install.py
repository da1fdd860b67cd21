"""Install engine…: archive, wheel, folder; checksums, going back, and one sentence for what goes wrong."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from couloir import engine, install
from couloir.errors import EngineMissing


@pytest.fixture(autouse=True)
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of engines in a QGIS profile, empty."""
    folder = tmp_path / "Profil é" / "couloir"
    monkeypatch.setattr(engine, "data_folder", lambda: folder)
    return folder


def tar(file: Path, program: bytes, folder: str = "couloir-0.2.0-x86_64-linux") -> Path:
    with tarfile.open(file, "w:gz") as out:
        for name, data in (
            (f"{folder}/README.md", b"read me"),
            (f"{folder}/bin/couloir", program),
            (f"{folder}/z", os.urandom(9999)),
        ):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            out.addfile(entry, io.BytesIO(data))
    return file


def packed(file: Path, name: str, program: bytes) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(name, program)
    return file


def archives(folder: Path, program: bytes) -> Iterator[Path]:
    yield tar(folder / "couloir-0.2.0-x86_64-linux.tar.gz", program)
    yield packed(folder / "couloir-0.2.0-x86_64-linux.zip", "couloir-0.2.0-x86_64-linux/bin/couloir", program)
    yield packed(folder / "couloir-0.2.0-py3-none-manylinux_2_28_x86_64.whl", "couloir-0.2.0.data/scripts/couloir", program)
    unpacked = folder / "unpacked"
    (unpacked / "bin").mkdir(parents=True)
    (unpacked / "bin" / "couloir").write_bytes(program)
    yield unpacked
    yield unpacked / "bin" / "couloir"


def other_engine(text: str = "0.3.0") -> bytes:
    return f"#!/bin/sh\necho couloir {text}\n".encode()


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_archive_wheel_and_folder_are_installed_and_found(engine_setting: Path, profile: Path, tmp_path: Path) -> None:
    program = engine_setting.read_bytes()
    for source in archives(tmp_path, program):
        engine.configure(str(tmp_path / "elsewhere"))
        found, checked = install.install(source)
        assert found.path == profile / "couloir" and found.path.read_bytes() == program and not checked, source
        assert [file.name for file in profile.iterdir()] == ["couloir"], "nothing else stays, the same engine is not kept twice"
        found.path.unlink()


def test_the_engine_before_is_kept_and_comes_back(engine_setting: Path, profile: Path, tmp_path: Path) -> None:
    install.install(engine_setting)
    newer, _ = install.install(tar(tmp_path / "newer.tar.gz", other_engine()))
    assert newer.version_text == "0.3.0" and install.kept().read_bytes() == engine_setting.read_bytes()
    back, _ = install.go_back()
    assert back.path == profile / "couloir" and back.path.read_bytes() == engine_setting.read_bytes()
    assert install.go_back()[0].version_text == "0.3.0"
    assert sorted(file.name for file in profile.iterdir()) == ["couloir", "previous"]
    assert [file.name for file in install.kept().parent.iterdir()] == ["couloir"]


@pytest.mark.parametrize("kind", ["SHA256SUMS", "versions.json", "inside"])
def test_checksums_are_compared(tmp_path: Path, profile: Path, kind: str) -> None:
    *_, file = archives(tmp_path, other_engine())
    if kind != "inside":
        file = tmp_path / "couloir-0.2.0-x86_64-linux.tar.gz"

    def write(checksum: str) -> None:
        if kind == "versions.json":
            document = {"version": "0.2.0", "files": {file.name: {"sha256": checksum, "bytes": 1}}}
            (tmp_path / kind).write_text(json.dumps(document))
        elif kind == "inside":
            (tmp_path / "unpacked" / "SHA256SUMS").write_text(f"{checksum}  bin/couloir\n")
        else:
            (tmp_path / kind).write_text(f"{'0' * 64}  other.zip\n{checksum}  {file.name}\n")

    write(digest(file))
    assert install.install(file)[1]
    write("ab" * 32)
    with pytest.raises(EngineMissing, match="another checksum"):
        install.install(file)
    assert engine.find().path == profile / "couloir", "the installed one is untouched"


def test_a_cut_archive_is_damaged_wherever_it_ends(tmp_path: Path, profile: Path) -> None:
    for source in archives(tmp_path, other_engine()):
        if source.is_dir() or source.suffix == "":
            continue
        whole = source.read_bytes()
        for keep in sorted({*range(1, len(whole), max(1, len(whole) // 40)), *range(len(whole) - 12, len(whole))}):
            source.write_bytes(whole[:keep])
            with pytest.raises(EngineMissing, match="damaged or incomplete"):
                install.install(source)
        source.write_bytes(b"")
        with pytest.raises(EngineMissing, match="damaged or incomplete"):
            install.install(source)
    assert not profile.exists()


def test_what_holds_no_engine_or_does_not_start(tmp_path: Path, profile: Path) -> None:
    cases: list[tuple[Path, str]] = [
        (tmp_path / "nowhere.tar.gz", "no archive or wheel"),
        (packed(tmp_path / "plugin.zip", "couloir/metadata.txt", b"name=Couloir"), "holds no program"),
        (packed(tmp_path / "windows.zip", "couloir/bin/couloir.exe", b"MZ"), "holds no program.*made for this system"),
        (
            tar(tmp_path / "mac.tar.gz", b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01" * 20),
            "cannot be started|not the Couloir engine|does not run",
        ),
        (
            tar(tmp_path / "lib.tar.gz", b"#!/bin/sh\necho 'libgdal.so.32: cannot open' >&2; exit 127\n"),
            "does not run.*libgdal",
        ),
    ]
    install.install(tar(tmp_path / "good.tar.gz", other_engine()))
    for source, words in cases:
        with pytest.raises(EngineMissing, match=words) as caught:
            install.install(source)
        assert str(source) in str(caught.value) and str(profile) not in str(caught.value)
        assert engine.find().version_text == "0.3.0" and [file.name for file in profile.iterdir()] == ["couloir"]


def test_a_drive_without_the_right_to_execute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", str(drive)], capture_output=True).returncode != 0:
        pytest.skip("only root may mount a drive without exec")
    try:
        monkeypatch.setattr(engine, "data_folder", lambda: drive / "couloir")
        with pytest.raises(EngineMissing, match="mounted without the right to execute"):
            install.install(tar(tmp_path / "good.tar.gz", other_engine()))
        assert list((drive / "couloir").iterdir()) == []
    finally:
        subprocess.run(["umount", str(drive)], check=True)


def test_the_engine_gets_nothing_of_another_gdal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "couloir"
    fake.write_text("#!/bin/sh\nenv\n")
    fake.chmod(0o755)
    names = ("GDAL_DATA", "GDAL_DRIVER_PATH", "PROJ_LIB", "PROJ_DATA", "OGR_SKIP", "CPL_DEBUG", "PYTHONHOME", "OSR_USE_X")
    for name in names:
        monkeypatch.setenv(name, "/hostile")
    seen = engine.run(engine.Engine(fake, (0, 2, 0), ""), []).stdout
    assert "hostile" not in seen and "PATH=" in seen


def test_the_question_and_its_answers(qgis_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The menu's way: what the dialog says, and the sentence in the message bar."""
    from couloir import dialogs
    from couloir.plugin import CouloirPlugin

    said: list[str] = []

    class Window:
        def mainWindow(self) -> None:
            return None

        def messageBar(self) -> Any:
            return self

        def pushMessage(self, _title: str, text: str, _level: Any) -> None:
            said.append(text)

    plugin = CouloirPlugin(Window())  # type: ignore[arg-type]

    def answer(source: Path | None) -> str:
        def run(dialog: Any) -> int:
            widgets = dialog.findChildren(dialogs.gui.QgsFileWidget), dialog.findChildren(dialogs.QtWidgets.QCheckBox)
            (place,), (back,) = widgets
            labels = " ".join(label.text() for label in dialog.findChildren(dialogs.QtWidgets.QLabel))
            assert dialogs.RELEASES in labels and "Nothing is downloaded" in labels
            assert back.isEnabled() == install.kept().is_file()
            place.setFilePath(str(source or ""))
            back.setChecked(source is None)
            return 1

        monkeypatch.setattr(dialogs.Question, "exec", run)
        plugin.install_engine()
        return said[-1]

    first = tar(tmp_path / "first.tar.gz", other_engine("0.2.7"))
    assert "Engine 0.2.7 is installed" in answer(first) and "was not compared" in said[-1]
    (tmp_path / "SHA256SUMS").write_text(f"{digest(first)}  first.tar.gz\n")
    assert "was not compared" not in answer(first)
    shutil.copy(tar(tmp_path / "second.tar.gz", other_engine("0.3.1")), tmp_path / "other.tar.gz")
    assert "0.3.1" in answer(tmp_path / "other.tar.gz")
    assert "Engine 0.2.7 is installed" in answer(None)
    (tmp_path / "other.tar.gz").write_bytes(b"\x1f\x8b")
    assert "damaged or incomplete" in answer(tmp_path / "other.tar.gz")
