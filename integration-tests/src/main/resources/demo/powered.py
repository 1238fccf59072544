# SPDX-License-Identifier: Apache-2.0
"""A data-parallel training job's shape without its mathematics, for simulated GPUs: an iteration takes as long as GPUs under
this power cap would take for their part of the batch, and as the exchange between them takes. All of it is a sleep.

    powered.py MS_PER_SAMPLE MS_PER_ITERATION EXCHANGE_MS SENSITIVITY BATCH SAMPLES [batches]

BATCH is that of all workers together, whatever their number: each of WORLD_SIZE workers does its part of every iteration.
SENSITIVITY is the part of the gradients' time that a cap slows down. With `batches` a worker does its part in several passes
where Treadle asks for it, each of which takes MS_PER_ITERATION; what a simulated GPU draws does not depend on that.
"""
import json
import math
import os
import sys
import time

import treadle_worker

PER_SAMPLE, PER_ITERATION, EXCHANGE = (float(text) / 1000 for text in sys.argv[1:4])
SENSITIVITY, BATCH, SAMPLES = float(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6])
TAKES_BATCHES = sys.argv[7:] == ["batches"]
RANK, WORLD = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
ENERGY = os.path.join(os.environ.get("TREADLE_CONTROL_DIR", "."), "energy.json")
# How much longer gradients take under a cap: as measured on V100s, whose exponent is 3 (A100s: not measured).
EXPONENT = 3.5
# A worker that starts another way than the others still goes at their speed: nobody waits in an exchange here.
LOOK_SECONDS = 0.5


class Cap:
    """The part of its own limit that the GPU may draw."""

    def __init__(self):
        self.part, self.looked = 1.0, 0.0

    def __call__(self):
        if time.monotonic() - self.looked > LOOK_SECONDS:
            self.looked = time.monotonic()
            try:
                with open(ENERGY, encoding="ascii") as file:
                    energy = json.load(file)
                self.part = min(1.0, energy["effectiveCapWatts"] / energy["defaultCapWatts"])
            except (OSError, ValueError, KeyError, ZeroDivisionError):
                pass  # The node has not said anything yet: what it said last holds.
        return self.part


class Checkpoint:
    """The iterations that are done, and what each rank has done of them; kept by rank 0 for all."""

    def __init__(self, job):
        self.job = job
        self.path = os.path.join(job.checkpoint_dir or ".", "iterations.json")

    def load(self):
        try:
            with open(self.path, encoding="ascii") as file:
                kept = json.load(file)
                return kept["step"], kept["samples"]
        except OSError:
            return 0, []

    def save(self, step, samples):
        if RANK != 0:
            self.job.checkpointed()
            return
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path + ".tmp", "w", encoding="ascii") as file:
            json.dump({"step": step, "samples": samples}, file)
        os.replace(self.path + ".tmp", self.path)
        self.job.checkpointed(os.path.basename(self.path))


def part(rank):
    return BATCH * (rank + 1) // WORLD - BATCH * rank // WORLD


def main():
    with treadle_worker.Job() as job:
        checkpoint, cap = Checkpoint(job), Cap()
        step, samples = checkpoint.load()
        samples += [0] * (WORLD - len(samples))
        saved = due = time.monotonic()
        passes, batch = 1, {} if TAKES_BATCHES else {"batchSize": part(RANK)}
        job.report(step, samples[RANK], **batch)
        while step * BATCH < SAMPLES:
            slower = 1 - SENSITIVITY + SENSITIVITY * cap() ** -EXPONENT
            if TAKES_BATCHES:
                passes = math.ceil(part(RANK) / job.local_batch(part(RANK)))
            due += (PER_ITERATION * passes + PER_SAMPLE * BATCH / WORLD) * slower + EXCHANGE * math.log2(WORLD)
            time.sleep(max(0, due - time.monotonic()))
            step += 1
            for rank in range(WORLD):
                samples[rank] += part(rank)
            job.report(step, samples[RANK], **batch)
            if job.should_checkpoint() or time.monotonic() - saved > 2:
                stop = job.should_stop()
                checkpoint.save(step, samples)
                saved = time.monotonic()
                if stop:
                    return


main()
