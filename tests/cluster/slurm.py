"""A Slurm of one node on this machine, for tests: started as root, ended with the test."""

import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ["slurmctld", "slurmd", "munged", "sbatch", "scontrol"]
CONF = pathlib.Path("/etc/slurm/slurm.conf")
MARK = "# written by couloir's tests/cluster\n"


def missing() -> str | None:
    """Why Slurm cannot be run here."""
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    absent = [name for name in PROGRAMS if not shutil.which(name)]
    if absent:
        return f"{', '.join(absent)} not installed (Debian: slurm-wlm, munge)"
    if CONF.exists() and not CONF.read_text(encoding="utf-8").startswith(MARK):
        return f"{CONF} belongs to a Slurm that is not ours"
    return None


def call(*words: str) -> str:
    """What a command says."""
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def node() -> str:
    """The only node."""
    return socket.gethostname().split(".")[0]


def state() -> str:
    """What Slurm says of the node."""
    return call("sinfo", "--noheader", "--format=%T").strip()


def wait_for(wanted: str, seconds: float = 600.0) -> None:
    """Until the node is in a state."""
    until = time.monotonic() + seconds
    while not state().startswith(wanted):
        if time.monotonic() > until:
            raise RuntimeError(f"the node is {state()}, expected {wanted}")
        time.sleep(0.2)


def drain() -> None:
    """The node gets no more work; returns when what runs there has ended."""
    call("scontrol", "update", f"nodename={node()}", "state=drain", "reason=test")
    wait_for("drained")


def lose() -> None:
    """The node is lost with all that runs on it: Slurm requeues what was there."""
    call("scontrol", "update", f"nodename={node()}", "state=down", "reason=test")
    wait_for("down")


def resume() -> None:
    """The node takes work again."""
    call("scontrol", "update", f"nodename={node()}", "state=resume")
    until = time.monotonic() + 60
    while state().startswith(("drain", "down")):
        if time.monotonic() > until:
            raise RuntimeError(f"the node stays {state()}")
        time.sleep(0.2)


def wait(done, folder: pathlib.Path) -> None:
    """Until something is there, or nothing is left in the queue."""
    empty = 0
    while not done():
        empty = empty + 1 if not call("squeue", "--noheader").strip() else 0
        if empty > 20:
            last = (path.read_text(encoding="utf-8", errors="replace")[-500:] for path in sorted(folder.glob("*.log"))[:5])
            logs = "".join(last)
            raise RuntimeError(f"the queue is empty and nothing is done: {logs}")
        time.sleep(0.5)
    # The scripts end a little later than what they run: nothing of them may outlive the daemons.
    until = time.monotonic() + 60
    while call("squeue", "--noheader").strip() and time.monotonic() < until:
        time.sleep(0.5)


class Cluster:
    """munge, slurmctld and slurmd while the block runs."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder, self.started = folder, []

    def __enter__(self) -> "Cluster":
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "state").mkdir(parents=True)
        (self.folder / "spool").mkdir()
        name, cores = node(), os.cpu_count() or 1
        memory = int(int(pathlib.Path("/proc/meminfo").read_text().split()[1]) / 1024 * 0.9)
        CONF.parent.mkdir(exist_ok=True)
        CONF.write_text(
            f"{MARK}ClusterName=couloir\nSlurmctldHost={name}\nSlurmUser=root\nAuthType=auth/munge\nMpiDefault=none\n"
            f"ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nReturnToService=2\nSwitchType=switch/none\n"
            f"SlurmctldPidFile={self.folder}/slurmctld.pid\nSlurmdPidFile={self.folder}/slurmd.pid\n"
            f"StateSaveLocation={self.folder}/state\nSlurmdSpoolDir={self.folder}/spool\n"
            f"SlurmctldLogFile={self.folder}/slurmctld.log\nSlurmdLogFile={self.folder}/slurmd.log\n"
            f"SchedulerType=sched/backfill\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
            f"JobRequeue=1\nMaxArraySize=10001\nKillWait=10\nAccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\n"
            f"NodeName={name} CPUs={cores} RealMemory={memory} State=UNKNOWN\n"
            f"PartitionName=all Nodes={name} Default=YES MaxTime=INFINITE State=UP\n",
            encoding="utf-8",
        )
        key = pathlib.Path("/etc/munge/munge.key")
        if not key.exists():
            key.parent.mkdir(exist_ok=True)
            key.write_bytes(os.urandom(1024))
        pathlib.Path("/run/munge").mkdir(exist_ok=True)
        shutil.chown(key, "munge", "munge")
        key.chmod(0o400)
        for folder in ["/run/munge", "/var/log/munge", "/var/lib/munge", "/etc/munge"]:
            if pathlib.Path(folder).exists():
                shutil.chown(folder, "munge", "munge")
        if not pathlib.Path("/run/munge/munge.socket.2").exists():
            self.start(["runuser", "-u", "munge", "--", "munged", "--foreground"])
            while not pathlib.Path("/run/munge/munge.socket.2").exists():
                time.sleep(0.1)
        self.start(["slurmctld", "-D"])
        self.start(["slurmd", "-D"])
        until = time.monotonic() + 60
        while "idle" not in state():
            if time.monotonic() > until:
                raise RuntimeError(f"the node does not come up: {call('sinfo', '-R')} {call('scontrol', 'show', 'node')}")
            time.sleep(0.5)
        return self

    def start(self, command: list[str]) -> None:
        """In the background, until the end."""
        with open(self.folder / "daemons.out", "a", encoding="utf-8") as log:
            self.started.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT))

    def __exit__(self, *_: object) -> None:
        call("scancel", "--user=root")
        for process in reversed(self.started):
            process.terminate()
        for process in self.started:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
        CONF.unlink(missing_ok=True)
