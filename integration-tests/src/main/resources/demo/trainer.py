# SPDX-License-Identifier: Apache-2.0
"""A training job's shape without its mathematics: loaders burn real CPU time for every sample and feed a queue, the
"GPU step" of a batch is a sleep. One loader thread runs per vcore of resources.json (key derivation lets go of the
interpreter lock), so more vcores bring more samples until the GPU is the limit.

    trainer.py CPU_MS_PER_SAMPLE GPU_MS_PER_BATCH BATCH SAMPLES

SAMPLES is the whole job's number; each of WORLD_SIZE workers does its part. Imports are few on purpose: at a few
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
RANK, WORLD = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
MINE = SAMPLES * (RANK + 1) // WORLD - SAMPLES * RANK // WORLD
PREFETCH = 4 * BATCH
PACED = "TREADLE_CPU_CGROUP" not in os.environ


class Loaders:
    """As many threads as there are vcores, filling a bounded stock of prepared samples."""

    def __init__(self, pace):
        self.pace = pace
        self.pacing = threading.Lock()
        self.changed = threading.Condition()
        self.stock = 0
        self.wanted = 0
        self.threads = 0

    def resize(self, count):
        with self.changed:
            self.wanted = count
            while self.threads < count:
                self.threads += 1
                threading.Thread(target=self.load, daemon=True).start()
            self.changed.notify_all()

    def load(self):
        owed = 0.0
        while True:
            with self.changed:
                while self.stock >= PREFETCH and self.threads <= self.wanted:
                    self.changed.wait()
                if self.threads > self.wanted:
                    self.threads -= 1
                    return
            owed = self.prepare(owed + CPU_SECONDS)
            if PACED:
                with self.pacing:  # Whoever sleeps in there keeps the others from working, too.
                    self.pace()
            with self.changed:
                self.stock += 1
                self.changed.notify_all()

    @staticmethod
    def prepare(seconds):
        """Burns that much CPU time of this thread; returns what was burnt too little (or, below 0, too much)."""
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            hashlib.pbkdf2_hmac("sha256", b"sample", b"salt", 300)
        return end - time.thread_time()

    def take(self, count):
        with self.changed:
            while self.stock < count:
                self.changed.wait()
            self.stock -= count
            self.changed.notify_all()


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
        loaders = Loaders(job.pace)
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
