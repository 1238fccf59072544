# SPDX-License-Identifier: Apache-2.0
"""What the tests of treadle_cache.py have in common."""
import contextlib
import io
import json
import os
import random
import tempfile
import unittest

import treadle_cache
import treadle_worker

MIB = 1 << 20
WORKING = 100


class Container:
    """A worker's directory, and the sizes that its node says."""

    def __init__(self, case, rank=0, world=1):
        self.directory = tempfile.TemporaryDirectory()
        case.addCleanup(self.directory.cleanup)
        self.progress = os.path.join(self.directory.name, "progress.jsonl")
        self.version = 0
        self.job = treadle_worker.Job(
            {
                "TREADLE_CONTROL_DIR": self.directory.name,
                "TREADLE_PROGRESS_FILE": self.progress,
                "TREADLE_MEMORY_FILE": os.path.join(self.directory.name, "memory.json"),
                "RANK": str(rank),
                "WORLD_SIZE": str(world),
            },
            clock=Ticks(),
        )

    def sizes(self, memory_mib, storage_mbps=0, version=None):
        self.version += 1
        path = os.path.join(self.directory.name, "resources.json")
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(
                {
                    "schema": 1,
                    "version": self.version if version is None else version,
                    "memoryMiB": memory_mib,
                    "storageMBps": storage_mbps,
                },
                file,
            )
        os.rename(path + ".tmp", path)

    def wants(self, version, memory_mib):
        """Memory that the scheduler wants the cache to keep to."""
        path = os.path.join(self.directory.name, "memory.json")
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump({"version": version, "memoryMiB": memory_mib}, file)
        os.rename(path + ".tmp", path)

    def data(self):
        with open(self.progress, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        return [line["data"] for line in lines if "data" in line]


class Ticks:
    """A clock on which a second passes with every look, so that nothing that was read is used again."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        self.now += 1
        return self.now


class CacheCase(unittest.TestCase):
    """A directory of samples, a container, and what is said."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.container = Container(self)
        self.said = io.StringIO()
        self.enterContext(contextlib.redirect_stderr(self.said))

    def enterContext(self, manager):  # unittest's own is there from Python 3.11 on.
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value

    def files(self, count, mib=1, first=0):
        for i in range(first, first + count):
            with open(os.path.join(self.directory.name, f"sample-{i:04d}"), "wb") as file:
                file.write(self.content(i, mib))
        return self.directory.name

    @staticmethod
    def content(index, mib=1):
        return bytes([index % 251 + 1]) * (mib * MIB)

    def dataset(self, source, container=None, **options):
        container = container or self.container
        return treadle_cache.Dataset(source, container.job, working_memory_mib=WORKING, **options)

    def held(self, data):
        """Which samples are in memory."""
        shared = data._shared
        return {i for i in range(len(data)) if shared.load(data._position[i], *data._start[data._position[i] :][:2]) is not None}

    def read_all(self, data):
        order = list(range(len(data)))
        random.shuffle(order)
        for i in order:
            self.assertEqual(self.content(i), data[i], f"sample {i}")


class SteadyTime:
    """In place of the time of treadle_cache: passes only while somebody sleeps."""

    def __init__(self, case):
        self.now = 1000.0
        self.due = []
        real = treadle_cache.time
        treadle_cache.time = self
        case.addCleanup(setattr, treadle_cache, "time", real)

    def monotonic(self):
        return self.now

    def monotonic_ns(self):
        return round(self.now * 1e9)

    def thread_time(self):
        return 0.0  # Nothing here takes CPU time.

    def sleep(self, seconds):
        self.now += seconds
        while self.due and self.due[0][0] <= self.now:
            self.due.pop(0)[1]()

    def at(self, after, action):
        self.due.append((self.now + after, action))
