#!/usr/bin/python3
"""Runs a region on Snakemake, Dask and Slurm for real, kills parts on the way, and compares every byte with one run.

    tests/cluster/run.py ENGINE [--cells N] [--hills N] [--parts N] [--rocks N] [--only snakemake|dask|slurm]

ENGINE is the couloir executable; no process of it may take 2 GB of memory. What cannot be had (no network for pip, no
root for Slurm) is skipped with a printed reason.
"""

import argparse
import filecmp
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import region
import slurm

HERE = pathlib.Path(__file__).resolve().parent
MOST_MEMORY_MB = 2000


class Skipped(Exception):
    """Something this test needs is not to be had."""


class Wrong(Exception):
    """The demand is not met."""


def call(command: list, **options) -> subprocess.CompletedProcess:
    """Runs a command to its end; what it says is part of the error if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done


def python_with(folder: pathlib.Path, *packages: str) -> pathlib.Path:
    """A virtual environment with these packages."""
    venv = folder / "venv"
    if not (venv / "bin/pip").exists():
        call(["/usr/bin/python3", "-m", "venv", venv])
    done = subprocess.run([venv / "bin/pip", "install", "-q", *packages], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skipped(f"pip cannot install {' '.join(packages)}: {done.stderr.strip().splitlines()[-1:]}")
    return venv / "bin"


def engines_of(plan: pathlib.Path) -> list[int]:
    """Numbers of the engine's processes that compute parts of this plan."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            where = os.readlink(entry / "cwd")
        except OSError:
            continue
        if b"--shard" in words and os.path.basename(words[0]) == b"couloir" and where == str(plan):
            found.append(int(entry.name))
    return found


class Memory(threading.Thread):
    """Watches the engine's processes below a folder: the largest peak of memory of parts, and of merges, in MB; and the processor time of all."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.peaks, self.ended = str(folder), {"part": 0.0, "merge": 0.0}, threading.Event()
        self.seconds: dict[int, float] = {}

    def run(self) -> None:
        while not self.ended.wait(0.1):
            for entry in pathlib.Path("/proc").iterdir():
                if entry.name.isdigit():
                    self.look(entry)

    def look(self, entry: pathlib.Path) -> None:
        """The kernel keeps the peak of a process as long as it lives."""
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if os.path.basename(words[0]) != b"couloir" or not os.readlink(entry / "cwd").startswith(self.folder):
                return
            status = (entry / "status").read_text(encoding="utf-8")
            peak = int(status.split("VmHWM:")[1].split()[0]) / 1000
            # User and system time.
            ticks = (entry / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[11:13]
            self.seconds[int(entry.name)] = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError, ValueError):
            return
        kind = "part" if b"--shard" in words else "merge" if b"merge" in words else None
        if kind:
            self.peaks[kind] = max(self.peaks[kind], peak)

    def end(self) -> str:
        """What was seen; too much is wrong."""
        self.ended.set()
        self.join()
        part, merge = self.peaks["part"], self.peaks["merge"]
        if max(part, merge) > MOST_MEMORY_MB or min(part, merge) == 0:
            raise Wrong(f"a part took {part:.0f} MB and the merge {merge:.0f} MB, expected less than {MOST_MEMORY_MB}")
        cpu = sum(self.seconds.values())
        return f"at most {part:.0f} MB a part and {merge:.0f} MB for the merge; {cpu:.0f} s of CPU with what was killed"


def kill_one(plan: pathlib.Path, process: subprocess.Popen | None, seconds: float = 600.0) -> None:
    """Waits until a part is being computed, and kills its engine outright."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        # One that has a checkpoint: killed in the middle of its work.
        for number in engines_of(plan):
            words = pathlib.Path(f"/proc/{number}/cmdline")
            try:
                arguments = words.read_bytes().decode().split("\0")
                out = plan / arguments[arguments.index("--out") + 1]
                if (out / ".partial/state.bin").exists():
                    os.kill(number, signal.SIGKILL)
                    print(f"  killed {out.name} (process {number})", flush=True)
                    return
            except (OSError, ValueError):
                continue
        if process is not None and process.poll() is not None:
            break
        time.sleep(0.02)
    raise Wrong("no part could be killed in time")


def compare(one: pathlib.Path, other: pathlib.Path) -> int:
    """Every file the same, but for those that tell time and machine."""

    def files(folder: pathlib.Path) -> set[str]:
        names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        return names - {"manifest.json", "report.html"}

    if files(one) != files(other):
        raise Wrong(f"{one} and {other} hold other files: {sorted(files(one) ^ files(other))}")
    different = [name for name in sorted(files(one)) if not filecmp.cmp(one / name, other / name, shallow=False)]
    if different:
        raise Wrong(f"{other}: other bytes in {different}")
    return len(files(one))


def plan(engine: str, project: pathlib.Path, parts: int, kind: str, out: pathlib.Path) -> dict:
    """Plans a fresh folder for an engine."""
    shutil.rmtree(out, ignore_errors=True)
    print(" ", call([engine, "plan", project, "--parts", parts, "--for", kind, "--out", out]).stdout.strip(), flush=True)
    return json.loads((out / "plan.json").read_text(encoding="utf-8"))


def with_snakemake(work: pathlib.Path, engine: str, project: pathlib.Path, parts: int) -> pathlib.Path:
    """On this machine, with one part killed."""
    tools = python_with(work, "snakemake")
    out = work / "snakemake"
    plan(engine, project, parts, "snakemake", out)
    command = [str(tools / "snakemake"), "--cores", "all", "--quiet", "all"]
    with open(out / "log", "w", encoding="utf-8") as log:
        running = subprocess.Popen(command, cwd=out, stdout=log, stderr=subprocess.STDOUT)
        kill_one(out, running)
        code = running.wait()
    if code != 0:
        raise Wrong(f"snakemake ended with {code}: {(out / 'log').read_text(encoding='utf-8')[-2000:]}")
    return out / "run"


def with_dask(work: pathlib.Path, engine: str, project: pathlib.Path, parts: int) -> pathlib.Path:
    """On workers of this machine, with one engine killed and one worker with its engine."""
    tools = python_with(work, "distributed")
    out = work / "dask"
    plan(engine, project, parts, "dask", out)
    with open(out / "log", "w", encoding="utf-8") as log:
        running = subprocess.Popen([str(tools / "python"), "run_dask.py"], cwd=out, stdout=log, stderr=subprocess.STDOUT)
        kill_one(out, running)
        kill_a_worker(out, running)
        code = running.wait()
    if code != 0:
        raise Wrong(f"run_dask.py ended with {code}: {(out / 'log').read_text(encoding='utf-8')[-2000:]}")
    return out / "run"


def kill_a_worker(out: pathlib.Path, running: subprocess.Popen) -> None:
    """Kills the parent of an engine: the engine must end, too, and Dask start the part again elsewhere."""
    while running.poll() is None:
        for number in engines_of(out):
            try:
                parent = int(pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[1])
                os.kill(parent, signal.SIGKILL)
            except (OSError, ValueError):
                continue
            print(f"  killed the worker {parent} of process {number}", flush=True)
            until = time.monotonic() + 60
            while pathlib.Path(f"/proc/{number}").exists():
                if time.monotonic() > until:
                    raise Wrong(f"process {number} outlived its worker")
                time.sleep(0.05)
            return
        time.sleep(0.02)
    raise Wrong("no worker could be killed in time")


def wait_for_engines(out: pathlib.Path) -> None:
    """Until a part is being computed."""
    until = time.monotonic() + 600
    while not engines_of(out):
        if time.monotonic() > until:
            raise Wrong("no part is being computed")
        time.sleep(0.1)


def with_slurm(work: pathlib.Path, engine: str, project: pathlib.Path, parts: int) -> pathlib.Path:
    """On a Slurm of one node, with one part killed, the node drained, and the node lost."""
    reason = slurm.missing()
    if reason:
        raise Skipped(reason)
    out = work / "slurm"
    plan(engine, project, parts, "slurm", out)
    with slurm.Cluster(work / "slurmd"):
        print(" ", call([out / "submit.sh"]).stdout.strip(), flush=True)
        kill_one(out, None)
        wait_for_engines(out)
        slurm.drain()
        left = slurm.call("squeue", "--noheader", "--array", "--states=pending").count("\n")
        if engines_of(out) or left == 0:
            raise Wrong(f"a drained node computes ({engines_of(out)}), or nothing was left to do ({left})")
        slurm.resume()
        print(f"  drained the node, {left} jobs waiting, and gave it back", flush=True)
        wait_for_engines(out)
        slurm.lose()
        slurm.resume()
        print("  lost the node with what it computed, and got it back", flush=True)
        slurm.wait(lambda: (out / "run/results.bin").exists(), out)
    return out / "run"


WAYS = {"snakemake": with_snakemake, "dask": with_dask, "slurm": with_slurm}


def main() -> int:
    """One run, then the same on each engine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("target/cluster"))
    parser.add_argument("--cells", type=int, default=40_000, help="cells of the region's side")
    parser.add_argument("--hills", type=int, default=64)
    parser.add_argument("--rocks", type=int, default=1, help="rocks from each position")
    parser.add_argument("--parts", type=int, default=64)
    parser.add_argument("--only", choices=sorted(WAYS))
    options = parser.parse_args()
    engine, work = str(pathlib.Path(options.engine).resolve()), options.work.resolve()
    project = region.make(work / "region", options.cells, options.hills, options.rocks)
    whole = work / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call([engine, "run", project, "--out", whole, "--progress", "none"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if after.ru_maxrss / 1000 > MOST_MEMORY_MB:
        print(f"one run took {after.ru_maxrss / 1000:.0f} MB, expected less than {MOST_MEMORY_MB}")
        return 1
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"one run: {cpu:.0f} s of CPU, {after.ru_maxrss / 1e6:.2f} GB", flush=True)
    failed = 0
    for name, run in WAYS.items():
        if options.only not in (None, name):
            continue
        print(f"{name}:", flush=True)
        try:
            begun = time.monotonic()
            memory = Memory(work / name)
            memory.start()
            count = compare(whole, run(work, engine, project, options.parts))
            took = time.monotonic() - begun
            print(f"  {count} files, all bytes the same as of one run; {memory.end()}; {took:.0f} s", flush=True)
        except Skipped as reason:
            print(f"  skipped: {reason}", flush=True)
        except Wrong as why:
            failed += 1
            print(f"  WRONG: {why}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(main())
