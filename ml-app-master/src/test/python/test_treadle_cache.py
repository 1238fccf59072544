# SPDX-License-Identifier: Apache-2.0
"""Tests of treadle_cache.py."""
import contextlib
import io
import json
import multiprocessing
import os
import pickle
import random
import tempfile
import threading
import time
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


class CacheTest(unittest.TestCase):
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

    def test_holds_as_much_as_fits_and_never_evicts(self):
        self.container.sizes(WORKING + 4)
        data = self.dataset(self.files(10))
        self.assertEqual(10, len(data))
        self.read_all(data)
        held = self.held(data)
        self.assertEqual((4, 4 * MIB), (len(held), data.cached_bytes))
        for _ in range(3):
            before = data._shared.counters()
            self.read_all(data)
            self.assertEqual(held, self.held(data))
            after = data._shared.counters()
            # The hit rate of every epoch is the share of the dataset that is held: 4 of 10.
            self.assertEqual((4, 6), (after["hits"] - before["hits"], after["misses"] - before["misses"]))

    def test_what_is_held_is_drawn_at_random_but_the_same_after_every_start(self):
        self.container.sizes(WORKING + 20)
        source = self.files(40)
        held = []
        for _ in range(2):
            data = self.dataset(source)
            self.read_all(data)
            held.append(self.held(data))
        self.assertEqual(held[0], held[1])
        self.assertEqual(20, len(held[0]))
        self.assertNotEqual(set(range(20)), held[0])

    def test_shrinks_and_grows_keeping_what_it_can(self):
        self.container.sizes(WORKING + 8)
        data = self.dataset(self.files(12))
        self.read_all(data)
        eight = self.held(data)
        self.container.sizes(WORKING + 3)
        data._look()
        three = self.held(data)
        self.assertEqual((3, 3 * MIB), (len(three), data.cached_bytes))
        self.assertLess(three, eight)
        self.assertEqual(3 * MIB, os.fstat(data._shared._content).st_blocks * 512, "memory that was given back")
        self.container.sizes(WORKING + 8)
        data._look()
        self.assertEqual(three, self.held(data), "what has not been read again is not there")
        self.read_all(data)
        self.assertEqual(eight, self.held(data))

    def test_gives_memory_up_before_the_container_shrinks_and_says_so(self):
        self.container.sizes(WORKING + 8, version=1)
        data = self.dataset(self.files(12))
        self.read_all(data)
        self.container.job.report(1, 1)
        self.assertNotIn("memoryVersion", self.container.data()[-1])
        self.container.wants(17, WORKING + 3)
        data._reported = None
        self.container.job.report(2, 2)
        said = self.container.data()[-1]
        self.assertEqual((17, 3 * MIB), (said["memoryVersion"], said["cachedBytes"]))
        self.read_all(data)
        self.assertEqual(3 * MIB, data.cached_bytes, "it does not fill again")
        self.container.wants(18, 0)
        data._look()
        self.read_all(data)
        self.assertEqual(8 * MIB, data.cached_bytes, "the container never shrank")

    def test_a_process_that_does_not_know_that_memory_is_wanted_takes_none_back(self):
        self.container.sizes(WORKING + 8, version=1)
        data = self.dataset(self.files(12))
        self.read_all(data)
        shared = data._shared
        shared.resize((1, 17), 3, data._start, 0)
        shared.resize((1, 0), 8, data._start, 0)
        self.assertEqual((3, 3 * MIB), (shared.get("places"), data.cached_bytes))

    def test_an_older_size_that_another_process_still_knows_changes_nothing(self):
        self.container.sizes(WORKING + 3, version=7)
        data = self.dataset(self.files(8))
        self.container.sizes(WORKING + 8, version=6)
        data._look()
        self.read_all(data)
        self.assertEqual(3, len(self.held(data)))

    def test_random_resizes_between_reads_never_give_wrong_content_nor_too_much_memory(self):
        seed = random.randrange(1 << 30)
        dice = random.Random(seed)
        self.container.sizes(WORKING + 5)
        data = self.dataset(self.files(15))
        room = 5
        for _ in range(400):
            if dice.random() < 0.1:
                room = dice.randrange(0, 20)
                self.container.sizes(WORKING + room)
                data._look()
            i = dice.randrange(15)
            self.assertEqual(self.content(i), data[i], f"seed {seed}")
            self.assertLessEqual(data.cached_bytes, room * MIB, f"seed {seed}")
            self.assertEqual(len(self.held(data)) * MIB, data.cached_bytes, f"seed {seed}")

    def test_threads_read_right_while_the_container_is_resized(self):
        self.container.sizes(WORKING + 8)
        data = self.dataset(self.files(10))
        wrong, over = [], threading.Event()

        def read(seed):
            dice = random.Random(seed)
            while not over.is_set():
                i = dice.randrange(10)
                if data[i] != self.content(i):
                    wrong.append(i)

        threads = [threading.Thread(target=read, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for i in range(60):
            self.container.sizes(WORKING + (i * 7) % 11)
            data._look()
        over.set()
        for thread in threads:
            thread.join()
        self.assertEqual([], wrong)

    def test_processes_of_a_worker_share_one_cache(self):
        self.container.sizes(WORKING + 6)
        data = self.dataset(self.files(6))
        context = multiprocessing.get_context("fork")
        loaders = [context.Process(target=_read_some, args=(data, range(i, 6, 2))) for i in range(2)]
        for loader in loaders:
            loader.start()
        for loader in loaders:
            loader.join()
            self.assertEqual(0, loader.exitcode)
        self.assertEqual(set(range(6)), self.held(data))
        counted = data._shared.counters()
        self.assertEqual((0, 6, 6 * MIB), (counted["hits"], counted["misses"], counted["missed_bytes"]))

    @unittest.skipUnless(os.path.isdir("/proc/self/fd"), "needs /proc")
    def test_a_copy_for_a_process_that_is_not_forked_uses_the_same_memory(self):
        data = treadle_cache.Dataset(self.files(4), memory_mib=WORKING + 4, working_memory_mib=WORKING)
        copy = pickle.loads(pickle.dumps(data))
        self.read_all(copy)
        self.assertEqual(set(range(4)), self.held(data))
        self.assertEqual(4, data._shared.counters()["misses"])

    def test_workers_share_the_dataset(self):
        source = self.files(11)
        parts = []
        for rank in range(3):
            container = Container(self, rank, 3)
            container.sizes(WORKING + 100)
            data = self.dataset(source, container)
            self.assertEqual(3, len(data), "11 samples for 3 workers, as many for each")
            parts.append({content[0] - 1 for content in data.epoch(seed=1)})
        self.assertEqual(set(range(9)), set.union(*parts))
        self.assertEqual(9, sum(map(len, parts)))
        whole = self.dataset(source, Container(self, 1, 3), shard=False)
        self.assertEqual(11, len(whole))

    def test_pieces_of_a_file_and_lists(self):
        self.container.sizes(WORKING + 100)
        path = os.path.join(self.directory.name, "records")
        with open(path, "wb") as file:
            file.write(b"aabbccd")
        data = self.dataset(path, record_bytes=2)
        self.assertEqual([b"aa", b"bb", b"cc"], [data[0], data[1], data[-1]])
        self.assertEqual([b"bcc", b"d"], list(self.dataset([(path, 3, 3), (path, 6, 1)])))
        self.assertEqual([b"aabbccd"] * 2, list(self.dataset([path, path])))
        with self.assertRaises(IndexError):
            data[3]

    def test_reads_from_storage_keep_to_the_bandwidth_and_follow_it(self):
        clock = SteadyTime(self)
        self.container.sizes(WORKING, storage_mbps=2)
        data = self.dataset(self.files(8))
        begun = clock.now
        for i in range(4):
            data[i]
        # 4 MiB at 2 MB/s; a tenth of a second may have been saved up before.
        self.assertAlmostEqual(4 * MIB / 2e6, clock.now - begun, delta=0.11)
        self.container.sizes(WORKING, storage_mbps=8)
        data._look()
        begun = clock.now
        for i in range(4):
            data[i]
        self.assertAlmostEqual(4 * MIB / 8e6, clock.now - begun, delta=0.11)
        self.container.sizes(WORKING, storage_mbps=0)
        data._look()
        begun = clock.now
        self.read_all(data)
        self.assertEqual(begun, clock.now)

    def test_a_read_that_waits_follows_a_new_bandwidth(self):
        clock = SteadyTime(self)
        self.container.sizes(WORKING, storage_mbps=0.1)
        data = self.dataset(self.files(1))
        clock.at(1.0, lambda: self.container.sizes(WORKING, storage_mbps=10))
        begun = clock.now
        data[0]
        # All of it at 0.1 MB/s would take 10 s.
        self.assertLess(clock.now - begun, 2.0)
        self.assertGreater(clock.now - begun, 0.9)

    def test_what_is_held_needs_no_bandwidth(self):
        clock = SteadyTime(self)
        self.container.sizes(WORKING + 4, storage_mbps=1)
        data = self.dataset(self.files(4))
        self.read_all(data)
        begun = clock.now
        self.read_all(data)
        self.assertEqual(begun, clock.now)

    def test_reports_what_it_measures(self):
        clock = SteadyTime(self)
        self.container.sizes(WORKING + 5)
        data = self.dataset(self.files(10))
        with self.container.job as job:
            self.read_all(data)
            job.report(1, 10)
            self.assertNotIn("hitRate", self.container.data()[-1])
            clock.now += 2
            self.read_all(data)
            self.read_all(data)
            job.report(2, 30)
            said = self.container.data()
            clock.now += 0.5
            job.report(3, 30)
            self.assertEqual(said, self.container.data(), "not more than once a second")
        self.assertEqual((10 * MIB, 10, 5 * MIB), (said[-1]["bytes"], said[-1]["samples"], said[-1]["cachedBytes"]))
        self.assertEqual((0.5, WORKING), (said[-1]["hitRate"], said[-1]["workingMemoryMiB"]))
        # 20 MiB in the 2 s since the line before.
        self.assertAlmostEqual(10 * MIB / 1e6, said[-1]["readMBps"], places=3)

    def test_measures_bandwidths(self):
        self.container.sizes(WORKING + 5)
        data = self.dataset(self.files(10))
        self.read_all(data)
        self.read_all(data)
        with self.container.job as job:
            job.report(1, 20)
        said = self.container.data()[-1]
        self.assertGreater(said["memoryMBps"], 0)
        self.assertGreater(said["diskMBps"], 0)

    def test_time_in_which_several_read_counts_once(self):
        clock = SteadyTime(self)
        shared = treadle_cache._Shared()
        clock.now = 12.0
        shared.count_missed_piece(5, 10.0)
        clock.now = 13.0
        shared.count_missed_piece(5, 11.0)
        clock.now = 20.0
        shared.count_missed_piece(5, 19.0)
        # From 10 to 13 and from 19 to 20.
        self.assertAlmostEqual(4.0, shared.get("missed_seconds"))

    def test_without_resources_nothing_is_held_and_nothing_limited(self):
        data = self.dataset(self.files(3))
        self.read_all(data)
        self.read_all(data)
        self.assertEqual((0, ""), (data.cached_bytes, self.said.getvalue()))

    def test_too_little_memory_is_said_once(self):
        self.container.sizes(WORKING // 2)
        data = self.dataset(self.files(3))
        for _ in range(3):
            data._look()
            self.read_all(data)
        self.assertEqual(0, data.cached_bytes)
        self.assertEqual(1, self.said.getvalue().count("leaves no room for a cache"), self.said.getvalue())
        self.assertIn("50 MiB", self.said.getvalue())

    def test_sizes_that_cannot_be_are_left_out(self):
        for wrong in ("x", -1, None, float("nan"), [], True):
            self.container.sizes(wrong, wrong)
            data = self.dataset(self.files(2))
            self.read_all(data)
            self.assertEqual(0, data.cached_bytes)

    def test_a_dataset_that_is_not_there_is_named(self):
        for source in (os.path.join(self.directory.name, "none"), [os.path.join(self.directory.name, "none")]):
            with self.assertRaisesRegex(OSError, "dataset .*/none cannot be read on .*: No such file.*\nMaybe"):
                self.dataset(source)

    def test_a_dataset_without_samples_is_named(self):
        with self.assertRaisesRegex(ValueError, self.directory.name + " has 0 samples for 1 workers"):
            self.dataset(self.directory.name)
        self.files(2)
        with self.assertRaisesRegex(ValueError, "has 2 samples for 3 workers"):
            self.dataset(self.directory.name, Container(self, 0, 3))
        with self.assertRaisesRegex(ValueError, "record_bytes is 0"):
            self.dataset(self.directory.name, record_bytes=0)

    def test_a_dataset_that_grows_is_followed_and_said(self):
        self.container.sizes(WORKING + 10)
        data = self.dataset(self.files(6))
        self.read_all(data)
        held = self.held(data)
        self.assertEqual(0, data.refresh())
        self.files(6, first=6)
        self.assertEqual(12, len(list(data.epoch())))
        self.assertIn("grew by 6 samples to 12", self.said.getvalue())
        self.assertLess(held, self.held(data))
        self.assertEqual(10, len(self.held(data)))
        self.read_all(data)
        with self.container.job as job:
            job.report(1, 1)
        self.assertEqual((12, 12 * MIB), (self.container.data()[-1]["samples"], self.container.data()[-1]["bytes"]))

    def test_a_process_that_does_not_know_of_the_growth_drops_nothing(self):
        self.container.sizes(WORKING + 10)
        data = self.dataset(self.files(4))
        copy = pickle.loads(pickle.dumps(data))
        self.files(4, first=4)
        data.refresh()
        self.read_all(data)
        self.container.sizes(WORKING + 7)
        copy._look()
        self.assertEqual(8, len(self.held(data)))
        data._look()
        self.assertEqual(7, len(self.held(data)))

    def test_a_file_that_cannot_be_read_is_named(self):
        data = self.dataset(self.files(2))
        os.remove(os.path.join(self.directory.name, "sample-0001"))
        self.assertEqual(self.content(0), data[0])
        with self.assertRaisesRegex(OSError, "sample-0001.*cannot be read: No such file"):
            data[1]

    def test_a_file_whose_length_changes_is_read_as_it_is_and_not_kept(self):
        self.container.sizes(WORKING + 10)
        data = self.dataset(self.files(3))
        for length in (10, 2 * MIB):
            with open(os.path.join(self.directory.name, "sample-0000"), "wb") as file:
                file.write(b"x" * length)
            self.assertEqual(b"x" * length, data[0])
        self.assertEqual(0, data.cached_bytes)
        self.assertEqual(1, self.said.getvalue().count("sample-0000 had 1048576 bytes"))

    def test_hidden_and_unfinished_files_are_no_samples(self):
        self.files(1)
        for name in (".hidden", "half.tmp"):
            with open(os.path.join(self.directory.name, name), "wb") as file:
                file.write(b"x")
        self.assertEqual(1, len(self.dataset(self.directory.name)))


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

    def sleep(self, seconds):
        self.now += seconds
        while self.due and self.due[0][0] <= self.now:
            self.due.pop(0)[1]()

    def at(self, after, action):
        self.due.append((self.now + after, action))


def _read_some(data, indexes):
    for i in indexes:
        if data[i] != CacheTest.content(i):
            os._exit(1)


if __name__ == "__main__":
    unittest.main()
