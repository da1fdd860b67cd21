#!/usr/bin/env python3
"""Joins what `make dist` made on several systems into one folder with one list. Usage: join_dist.py PARTS OUT"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path


def main(parts: Path, out: Path) -> None:
    documents = [json.loads(file.read_text()) for file in sorted(parts.rglob("versions.json"))]
    if not documents:
        sys.exit(f"join_dist: there is no versions.json below {parts}")
    versions = {document["version"] for document in documents}
    engines = {document["engine"] for document in documents}
    if len(versions) != 1 or len(engines) != 1:
        sys.exit(f"join_dist: the parts are of different versions ({', '.join(sorted(engines))})")
    out.mkdir(parents=True)
    files: dict[str, dict] = {}
    for folder in sorted(file.parent for file in parts.rglob("versions.json")):
        document = json.loads((folder / "versions.json").read_text())
        for name, entry in document["files"].items():
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != entry["sha256"]:
                sys.exit(f"join_dist: {folder / name} is not what its versions.json says")
            # The plugin is packed on every system, by compressors that differ: one counts.
            plugin = "plugin" in name
            if plugin and name in files and document["system"] != "x86_64-linux":
                continue
            shutil.copy(folder / name, out / name)
            files[name] = {**entry, "system": "any" if plugin else document["system"]}
    joined = {"version": versions.pop(), "engine": engines.pop(), "files": files}
    (out / "versions.json").write_text(json.dumps(joined, indent=2) + "\n")
    (out / "SHA256SUMS").write_text("".join(f"{files[name]['sha256']}  {name}\n" for name in sorted(files)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
