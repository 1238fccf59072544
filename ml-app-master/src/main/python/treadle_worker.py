# SPDX-License-Identifier: Apache-2.0
"""Lets a training script tell Treadle how far it is, and learn what it may use. Standard library only.

    import treadle_worker
    with treadle_worker.Job() as job:
        for step, batch in enumerate(loader):
            train(batch)
            job.report(step, samples=(step + 1) * batch_size)

Outside Treadle nothing is written and every question has a harmless answer, so one script serves both.
"""
import json
import os
import re
import shutil
import subprocess
import time

_REPORTS_PER_SECOND = 10
_LOOKS_PER_SECOND = 2


class Job:
    """One worker's side of Treadle's worker contract."""

    def __init__(self, environ=None, clock=time.monotonic):
        env = os.environ if environ is None else environ
        self._clock = clock
        self._progress = env.get("TREADLE_PROGRESS_FILE")
        self._command_file = env.get("TREADLE_COMMAND_FILE")
        control = env.get("TREADLE_CONTROL_DIR")
        self._memory_file = env.get("TREADLE_MEMORY_FILE")
        self._resources_file = os.path.join(control, "resources.json") if control else None
        checkpoints = env.get("TREADLE_CHECKPOINT_DIR")
        self._remote = _HadoopDirectory(checkpoints, env) if re.match("[A-Za-z][A-Za-z0-9+.-]*:/", checkpoints or "") else None
        self._checkpoints = checkpoints
        self.rank = int(env.get("RANK", "0"))
        self.world_size = int(env.get("WORLD_SIZE", "1"))
        #: Of a worker that joins others who train already, samples that its rank had done before; else None.
        self.joined_after = int(env["TREADLE_JOINED_AFTER"]) if env.get("TREADLE_JOINED_AFTER") else None
        try:
            self._vcore_cores = float(env.get("TREADLE_VCORE_CORES", "") or 0)
        except ValueError:
            self._vcore_cores = 0.0
        self._files = {}  # path -> [time of the last look, stat of the content, content]
        self._last = (0, 0)
        self._reported_at = None
        self._answered = 0
        self._paced = None
        self._reports = []
        self._batch = _Batch()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._flush()
        return False

    def report(self, step, samples, **fields):
        """Says that this worker has done `samples` in `step` steps since the job's first start (not since its own).

        Optional fields: loss, epoch, batchSize, dataWaitSeconds. Cheap: writes at most 10 lines a second.
        """
        self._last = (int(step), int(samples))
        now = self._clock()
        fields = {**fields, **self._batch.fields()}
        if self._batch.command > self._answered:
            self._answered = fields["commandEpoch"] = self._batch.command
            self._write(fields)
        elif self._reported_at is None or now - self._reported_at >= 1 / _REPORTS_PER_SECOND:
            self._reported_at = now
            self._write(fields)

    def add_report(self, fields):
        """What `fields()` returns, a dict, becomes part of the progress lines."""
        self._reports.append(fields)

    def resources(self):
        """What the container has now, as a dict (vcores, memoryMiB, devices, ...), or None. Looks at most twice a second;
        a missing or broken file means that the last known sizes still hold."""
        return self._read(self._resources_file)

    def memory_limit(self):
        """What the container's caches are to keep to before the container shrinks: (version, MiB), where 0 MiB stands for
        no limit but that of resources()."""
        limit = self._read(self._memory_file) or {}
        return (limit.get("version", 0), limit.get("memoryMiB", 0))

    def should_checkpoint(self):
        """Whether a checkpoint is wanted now; also before the job is stopped or goes on with other workers."""
        return self._pending() in ("checkpoint", "stop", "rescale")

    def wanted_checkpoint(self):
        """Number of the command for which a checkpoint is wanted, also when this worker has answered it; 0 without one.
        Numbers grow. Workers learn of a command a moment apart: those that must keep a checkpoint or end at the same step
        do so when the least number of all of them has grown."""
        command = self._read(self._command_file) or {}
        return command.get("epoch", 0) if command.get("command") in ("checkpoint", "stop", "rescale") else 0

    def should_stop(self):
        """Whether the worker is asked to end. Keep a checkpoint first; this stays true after that."""
        return (self._read(self._command_file) or {}).get("command") == "stop"

    def local_batch(self, default, step_samples=None):
        """Samples for each gradient pass of the next step: `default`, but where Treadle tries another batch size. Ask before
        each step, and add up gradients over as many passes as bring the step to `step_samples` (`default` where it is not
        given) of this worker's samples as always, the last pass with what is left: so the training stays the same."""
        step_samples = int(step_samples or default)
        command = self._read(self._command_file) or {}
        if command.get("command") == "batch" and command.get("epoch", 0) > self._batch.command:
            self._batch.ask(command["epoch"], int(command.get("batchSize", 0)))
        return self._batch.use(int(default), step_samples)

    def refuse_batch(self, reason):
        """Says why the size that local_batch() returned cannot be trained with, such as "out of memory", and goes back to the
        default. Returns False where that was the default: then there is nothing to go back to."""
        if not self._batch.asked:
            return False
        self._batch.asked = 0
        self._batch.use(*self._batch.own)
        self._answered = max(self._answered, self._batch.command)
        self._write({**self._batch.fields(), "commandEpoch": self._batch.command, "refused": str(reason)})
        return True

    @property
    def checkpoint_dir(self):
        """Directory to write checkpoints to, or None. Where they are kept on a file system that is not mounted (hdfs://...),
        a local one, from which `checkpointed` copies. Raises OSError where that cannot work."""
        return self._remote.local() if self._remote else self._checkpoints

    def checkpointed(self, name=None):
        """Says that the checkpoint `name` in checkpoint_dir is complete; answers the command that wanted it. A worker that
        keeps no checkpoint of its own, such as all but rank 0, answers without a name. Raises OSError where a checkpoint
        cannot be copied to a file system that is not mounted."""
        if name is not None and self._remote:
            self._remote.put(str(name))
        command = self._read(self._command_file) or {}
        fields = {} if name is None else {"checkpoint": str(name)}
        if command.get("epoch", 0) > self._answered and command.get("command") != "batch":
            self._answered = command["epoch"]
            fields["commandEpoch"] = self._answered
        self._write(fields)

    def latest_checkpoint(self):
        """Path of the newest complete entry of checkpoint_dir, or None. Write checkpoints under another name (one that
        begins with a dot or ends in .tmp) and rename them when they are complete. Raises OSError where the file system is
        not mounted and cannot be asked."""
        if self._remote:
            return self._remote.get_latest()
        if not self.checkpoint_dir or not os.path.isdir(self.checkpoint_dir):
            return None
        paths = [
            os.path.join(self.checkpoint_dir, name)
            for name in os.listdir(self.checkpoint_dir)
            if _is_complete(name)
        ]
        return max(paths, key=lambda path: (os.stat(path).st_mtime_ns, path), default=None)

    def pace(self, cpu_seconds=None):
        """For machines without cgroups: sleeps so that this process uses no more than vcores x TREADLE_VCORE_CORES
        cores. Call it often. Processes that share the container pass `cpu_seconds`, the CPU time of all of them."""
        sizes = self.resources()
        if self._vcore_cores <= 0 or not sizes:
            return
        cores = self._vcore_cores * max(1, sizes.get("vcores", 1))
        used = time.process_time() if cpu_seconds is None else cpu_seconds
        now = self._clock()
        if self._paced is None or self._paced[2] != cores:
            self._paced = (now, used, cores)
        since, before, _ = self._paced
        ahead = (used - before) / cores - (now - since)
        if ahead > 0:
            time.sleep(min(ahead, 1.0))
        elif ahead < -0.5:  # Time that was not used is not saved up.
            self._paced = (now - 0.5, used, cores)

    def _pending(self):
        command = self._read(self._command_file) or {}
        return command.get("command") if command.get("epoch", 0) > self._answered else None

    def _flush(self):
        if self._reported_at is not None:
            self._write({})

    def _write(self, fields):
        if not self._progress:
            return
        line = {"ts": time.time(), "step": self._last[0], "samples": self._last[1]}
        line.update((key, value) for key, value in fields.items() if value is not None)
        for report in self._reports:
            line.update(report())
        try:
            with open(self._progress, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except (OSError, TypeError, ValueError):
            pass  # Training matters more than its report.

    def _read(self, path):
        if not path:
            return None
        known = self._files.setdefault(path, [None, None, None])
        now = self._clock()
        if known[0] is not None and now - known[0] < 1 / _LOOKS_PER_SECOND:
            return known[2]
        known[0] = now
        try:
            stat = os.stat(path)
            key = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
            if key != known[1]:
                with open(path, encoding="utf-8") as file:
                    content = json.load(file)
                if isinstance(content, dict):
                    known[1], known[2] = key, content
        except (OSError, ValueError):
            pass
        return known[2]


class _Batch:
    """The batch that a worker trains with: its own, or the one that a command asks for."""

    def __init__(self):
        self.command = 0
        self.asked = 0
        self.own = None
        self._size, self._passes = 0, 0

    def ask(self, epoch, size):
        self.command, self.asked = epoch, size

    def use(self, default, step_samples):
        self.own = (default, step_samples)
        self._size = max(1, min(self.asked or default, step_samples))
        self._passes = -(-step_samples // self._size)
        return self._size

    def fields(self):
        return {"batchSize": self._size, "passes": self._passes} if self.own else {}


def _is_complete(name):
    return not name.startswith(".") and not name.endswith(".tmp")


class _HadoopDirectory:
    """A directory on a file system that only Hadoop's own command reaches, and its copy in the container."""

    def __init__(self, uri, env):
        self._uri = uri.rstrip("/")
        self._env = env
        self._copy = os.path.join(os.path.dirname(env.get("TREADLE_PROGRESS_FILE") or "") or os.getcwd(), "treadle-checkpoints")

    def local(self):
        self._hadoop()
        os.makedirs(self._copy, exist_ok=True)
        return self._copy

    def put(self, name):
        target, draft = self._uri + "/" + name, f"{self._uri}/.{name}.{time.time_ns()}.tmp"
        self._run("-put", os.path.join(self.local(), name), draft)
        self._run("-rm", "-r", "-f", "-skipTrash", target)
        self._run("-mv", draft, target)

    def get_latest(self):
        newest_first = [line.rsplit("/", 1)[1] for line in self._run("-ls", "-C", "-t", self._uri).splitlines() if "/" in line]
        name = next(filter(_is_complete, newest_first), None)
        if name is None:
            return None
        path = os.path.join(self.local(), name)
        for old in (path, path + ".tmp"):
            if os.path.isdir(old):
                shutil.rmtree(old)
            elif os.path.exists(old):
                os.remove(old)
        self._run("-get", self._uri + "/" + name, path + ".tmp")
        os.rename(path + ".tmp", path)
        return path

    def _hadoop(self):
        homes = [self._env[key] for key in ("HADOOP_HOME", "HADOOP_COMMON_HOME") if self._env.get(key)]
        folders = [os.path.join(home, "bin") for home in homes] + [self._env.get("PATH", "")]
        command = shutil.which("hadoop", path=os.pathsep.join(folders))
        if not command:
            raise OSError(
                f"TREADLE_CHECKPOINT_DIR is {self._uri}, which no command here can reach: there is no 'hadoop' in HADOOP_HOME/bin,"
                " HADOOP_COMMON_HOME/bin or PATH.\nMaybe set 'checkpointDir' in the job to a directory that every node mounts."
            )
        return command

    def _run(self, *arguments):
        done = subprocess.run(
            [self._hadoop(), "fs", *arguments], env=dict(self._env), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise OSError(f"hadoop fs {' '.join(arguments)} ended with exit code {done.returncode}: {last}")
        return done.stdout
