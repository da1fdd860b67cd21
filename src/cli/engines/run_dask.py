"""Runs the parts of plan.json with Dask and joins them.

On this machine:        python run_dask.py
On a Dask cluster:      python run_dask.py --scheduler tcp://host:8786   (files on storage that all workers share)

Needs `pip install distributed`. What is killed goes on where it stopped: start it again.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from distributed import Client, LocalCluster, as_completed

TRY_AGAIN = 4


def call(engine: str, arguments: list[str], folder: str) -> None:
    """Runs the engine in the folder of the plan. It stops when its worker is killed."""
    command = [engine, *arguments, "--with-parent"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        later = " (try again later)" if done.returncode == TRY_AGAIN else ""
        raise RuntimeError(f"the engine ended with {done.returncode}{later}: {done.stderr.strip()}")


def main() -> int:
    """Submits every part, waits, merges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", help="address of a Dask scheduler; default: workers on this machine")
    parser.add_argument("--workers", type=int, help="so many workers on this machine; default: as many as fit its cores")
    options = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parent
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    engine = os.environ.get("COULOIR", plan["engine"])
    threads = plan["threads"]
    workers = options.workers or max(1, (os.cpu_count() or 1) // threads)
    # One part at a time for each worker: the engine has threads of its own.
    where = options.scheduler or LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    with Client(where) as client:
        futures = {}
        for part in plan["parts"]:
            arguments = [*part["arguments"], "--threads", str(threads)]
            future = client.submit(call, engine, arguments, str(folder), key=part["name"], pure=False, retries=5)
            futures[future] = part["name"]
        failed = 0
        for count, future in enumerate(as_completed(list(futures)), 1):
            if future.status == "error":
                failed += 1
                print(f"{futures[future]}: {future.exception()}", file=sys.stderr)
            else:
                print(f"{futures[future]} is done ({count} of {len(futures)})", flush=True)
        if failed:
            print(f"{failed} parts failed; mend what they say and start this again", file=sys.stderr)
            return 1
        client.submit(call, engine, plan["merge"]["arguments"], str(folder), pure=False, retries=5).result()
    return 0


if __name__ == "__main__":
    sys.exit(main())
