# SPDX-License-Identifier: Apache-2.0
"""A parameter server that uses all that it has, and the worker beside it, which only says that it trains."""
import sys
import time

import treadle_worker


def serve(job):
    while True:
        for _ in range(20_000):
            pass
        job.pace()


def work(job):
    step = 0
    while not job.should_stop():
        step += 1
        job.report(step, 10 * step)
        time.sleep(0.1)


with treadle_worker.Job() as job:
    serve(job) if sys.argv[1] == "ps" else work(job)
