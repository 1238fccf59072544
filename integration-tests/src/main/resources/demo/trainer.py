# SPDX-License-Identifier: Apache-2.0
"""A training job's shape without its mathematics: loaders burn real CPU time for every sample and feed a queue, the
"GPU step" of a batch is a sleep. One loader thread runs per vcore of resources.json (key derivation lets go of the
interpreter lock), so more vcores bring more samples until the GPU is the limit.

    trainer.py CPU_MS_PER_SAMPLE GPU_MS_PER_BATCH BATCH SAMPLES [DATASET SAMPLE_BYTES WORKING_MIB DISK_MBPS SCALE]

SAMPLES is the whole job's number; each of WORLD_SIZE workers does its part. With a DATASET, a file, each sample is read
from it through treadle_cache. As a vcore stands for a small part of a core, memory and bandwidth then stand for one
SCALE-th of themselves: of a container of 1024 MiB, 1024 / SCALE MiB are used. The disk, too, is as fast as is said here.
Imports are few on purpose: at a few
per cent of a core, starting the interpreter is what takes longest.
"""
import hashlib
import os
import sys
import threading
import time

import treadle_worker

CPU_SECONDS, GPU_SECONDS = float(sys.argv[1]) / 1000, float(sys.argv[2]) / 1000
BATCH, SAMPLES = int(sys.argv[3]), int(sys.argv[4])
DATA = sys.argv[5:]
RANK, WORLD = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
MINE = SAMPLES * (RANK + 1) // WORLD - SAMPLES * RANK // WORLD
PREFETCH = 4 * BATCH
PACED = "TREADLE_CPU_CGROUP" not in os.environ


class Loaders:
    """As many threads as there are vcores, filling a bounded stock of prepared samples."""

    def __init__(self, pace, read):
        self.pace = pace
        self.read = read
        self.pacing = threading.Lock()
        # Apart, so that nobody wakes for nothing: dozens of loaders that wait would use up a small container's CPU share.
        changed = threading.Lock()
        self.room, self.ready = threading.Condition(changed), threading.Condition(changed)
        self.stock = 0
        self.wanted = 0
        self.threads = 0

    def resize(self, count):
        with self.room:
            if count == self.wanted:
                return
            self.wanted = count
            while self.threads < count:
                self.threads += 1
                threading.Thread(target=self.load, daemon=True).start()
            self.room.notify_all()

    def load(self):
        owed = 0.0
        while True:
            with self.room:
                while self.stock >= PREFETCH and self.threads <= self.wanted:
                    self.room.wait()
                if self.threads > self.wanted:
                    self.threads -= 1
                    return
            owed = self.prepare(owed + CPU_SECONDS, self.read)
            if PACED:
                with self.pacing:  # Whoever sleeps in there keeps the others from working, too.
                    self.pace()
            with self.ready:
                self.stock += 1
                self.ready.notify()

    @staticmethod
    def prepare(seconds, read):
        """Reads a sample and burns CPU time of this thread, that much in all; returns what was burnt too little (or, below
        0, too much)."""
        end = time.thread_time() + seconds
        read()
        while time.thread_time() < end:
            hashlib.pbkdf2_hmac("sha256", b"sample", b"salt", 300)
        return end - time.thread_time()

    def take(self, count):
        with self.ready:
            while self.stock < count:
                self.ready.wait()
            self.stock -= count
            self.room.notify(count)


class Scaled:
    """The job as its dataset sees it: with a SCALE-th of its memory and of the disk's bandwidth."""

    def __init__(self, job, disk_mbps, scale):
        self.job, self.disk_mbps, self.scale = job, disk_mbps, scale
        self.rank, self.world_size = job.rank, job.world_size

    def resources(self):
        sizes = self.job.resources()
        if not sizes:
            return None
        granted = sizes.get("storageMBps") or self.disk_mbps
        return {
            "version": sizes.get("version"),
            "memoryMiB": sizes.get("memoryMiB", 0) / self.scale,
            "storageMBps": min(granted, self.disk_mbps) / self.scale,
        }

    def memory_limit(self):
        version, memory = self.job.memory_limit()
        return version, memory / self.scale

    def add_report(self, fields):
        self.job.add_report(lambda: self.unscaled(fields()))

    def unscaled(self, fields):
        data = fields.get("data")
        if data:
            for name in ("bytes", "cachedBytes", "workingMemoryMiB", "readMBps", "memoryMBps"):
                if name in data:
                    data[name] *= self.scale
            data["diskMBps"] = self.disk_mbps
        return fields


def reader(job):
    """Reads one sample after the other, in another order in each epoch."""
    if not DATA:
        return lambda: None
    import treadle_cache

    file, sample_bytes, working_mib, disk_mbps, scale = DATA[0], *map(int, DATA[1:])
    data = treadle_cache.Dataset(
        file, Scaled(job, disk_mbps, scale), record_bytes=sample_bytes, working_memory_mib=working_mib // scale
    )
    turn = threading.Lock()
    indexes = iter(())

    def next_index():
        nonlocal indexes
        with turn:
            index = next(indexes, None)
            if index is None:
                indexes = iter(data.order())
                index = next(indexes)
            return index

    return lambda: data[next_index()]


class Checkpoint:
    """This worker's progress, in a file of its own."""

    def __init__(self, job):
        self.job = job
        self.path = os.path.join(job.checkpoint_dir or ".", f"rank-{RANK}")

    def load(self):
        try:
            with open(self.path, encoding="ascii") as file:
                step, samples = file.read().split()
                return int(step), int(samples)
        except OSError:
            return 0, 0

    def save(self, step, samples):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path + ".tmp", "w", encoding="ascii") as file:
            file.write(f"{step} {samples}")
        os.replace(self.path + ".tmp", self.path)
        self.job.checkpointed(os.path.basename(self.path))


def main():
    with treadle_worker.Job() as job:
        checkpoint = Checkpoint(job)
        step, samples = checkpoint.load()
        loaders = Loaders(job.pace, reader(job))
        saved = time.monotonic()
        job.report(step, samples, batchSize=BATCH)
        while samples < MINE:
            loaders.resize(max(1, (job.resources() or {}).get("vcores", 1)))
            size = min(BATCH, MINE - samples)
            loaders.take(size)
            time.sleep(GPU_SECONDS * size / BATCH)
            step, samples = step + 1, samples + size
            job.report(step, samples, batchSize=BATCH)
            if job.should_checkpoint() or time.monotonic() - saved > 5:
                stop = job.should_stop()
                checkpoint.save(step, samples)
                saved = time.monotonic()
                if stop:
                    return


main()
