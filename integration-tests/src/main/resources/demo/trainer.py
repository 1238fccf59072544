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


class Loaders:
    """As many threads as there are vcores, filling a bounded stock of prepared samples."""

    def __init__(self):
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


def main():
    job = treadle_worker.start()
    state = job.load_checkpoint() or {"step": 0, "samples": 0}
    step, samples = state["step"], state["samples"]
    loaders = Loaders()
    saved = time.monotonic()
    while samples < MINE:
        loaders.resize(max(1, job.vcores()))
        size = min(BATCH, MINE - samples)
        loaders.take(size)
        time.sleep(GPU_SECONDS * size / BATCH)
        step, samples = step + 1, samples + size
        command = job.report(step=step, samples=samples)
        if command or time.monotonic() - saved > 5:
            job.save_checkpoint({"step": step, "samples": samples})
            saved = time.monotonic()
        if command == "stop":
            return
    job.report(step=step, samples=samples, last=True)


main()
