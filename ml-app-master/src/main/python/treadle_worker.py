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
        self._resources_file = os.path.join(control, "resources.json") if control else None
        self.checkpoint_dir = env.get("TREADLE_CHECKPOINT_DIR")
        self.rank = int(env.get("RANK", "0"))
        self.world_size = int(env.get("WORLD_SIZE", "1"))
        try:
            self._vcore_cores = float(env.get("TREADLE_VCORE_CORES", "") or 0)
        except ValueError:
            self._vcore_cores = 0.0
        self._files = {}  # path -> [time of the last look, stat of the content, content]
        self._last = (0, 0)
        self._reported_at = None
        self._answered = 0
        self._paced = None

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
        if self._reported_at is None or now - self._reported_at >= 1 / _REPORTS_PER_SECOND:
            self._reported_at = now
            self._write(fields)

    def resources(self):
        """What the container has now, as a dict (vcores, memoryMiB, devices, ...), or None. Looks at most twice a second;
        a missing or broken file means that the last known sizes still hold."""
        return self._read(self._resources_file)

    def should_checkpoint(self):
        """Whether a checkpoint is wanted now; also before the job is stopped or goes on with other workers."""
        return self._pending() in ("checkpoint", "stop", "rescale")

    def should_stop(self):
        """Whether the worker is asked to end. Keep a checkpoint first."""
        return self._pending() in ("stop",)

    def checkpointed(self, name):
        """Says that the checkpoint `name` is complete; answers the command that wanted it."""
        command = self._read(self._command_file) or {}
        fields = {"checkpoint": str(name)}
        if command.get("epoch", 0) > self._answered:
            self._answered = command["epoch"]
            fields["commandEpoch"] = self._answered
        self._write(fields)

    def latest_checkpoint(self):
        """Path of the newest complete entry of checkpoint_dir, or None. Write checkpoints under another name (one that
        begins with a dot or ends in .tmp) and rename them when they are complete."""
        if not self.checkpoint_dir or not os.path.isdir(self.checkpoint_dir):
            return None
        paths = [
            os.path.join(self.checkpoint_dir, name)
            for name in os.listdir(self.checkpoint_dir)
            if not name.startswith(".") and not name.endswith(".tmp")
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
