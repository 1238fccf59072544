# SPDX-License-Identifier: Apache-2.0
"""Runs a trainer that takes its samples from treadle_batches, and writes down which these are, for tests:

    python3 -m watched DIRECTORY BATCH_SECONDS TRAINER [ARGUMENT...]

Each start has a file for each rank, with a line of JSON for each batch before it is trained. A batch takes BATCH_SECONDS
divided by the number of workers at least, as on GPUs, and of the last quarter of the job a second, until DIRECTORY holds a
file named "hurry": the job is not over before the test is. Where it holds one named "kill", the worker that next answers a
command to go on with other workers takes it away and ends as by kill -9.
"""
import json
import os
import runpy
import signal
import sys
import time

import treadle_batches
import treadle_worker

DIRECTORY, BATCH_SECONDS, TRAINER = sys.argv[1:4]
START, RANK, WORLD = (os.environ[name] for name in ("TORCHELASTIC_RESTART_COUNT", "RANK", "WORLD_SIZE"))
LEAST_SECONDS = float(BATCH_SECONDS) / int(WORLD)
KILL, HURRY = os.path.join(DIRECTORY, "kill"), os.path.join(DIRECTORY, "hurry")

give, answer = treadle_batches.Batches.__iter__, treadle_worker.Job.checkpointed


def write_down(batches):
    with open(os.path.join(DIRECTORY, f"start-{START}-rank-{RANK}-of-{WORLD}.jsonl"), "x", encoding="ascii") as file:
        for step, batch in enumerate(give(batches), start=batches.step + 1):
            file.write(json.dumps({"at": time.time(), "step": step, "samples": batch}) + "\n")
            file.flush()
            due = time.monotonic() + (LEAST_SECONDS if step < 0.75 * batches.steps else 1)
            yield batch
            if not os.path.exists(HURRY):
                time.sleep(max(0, due - time.monotonic()))


def checkpointed(job, name=None):
    rescales = job._pending() == "rescale"  # pylint: disable=protected-access
    answer(job, name)
    if rescales and os.path.exists(KILL):
        os.remove(KILL)
        os.kill(os.getpid(), signal.SIGKILL)


treadle_batches.Batches.__iter__ = write_down
treadle_worker.Job.checkpointed = checkpointed
sys.argv = sys.argv[3:]
runpy.run_module(TRAINER, run_name="__main__", alter_sys=True)
