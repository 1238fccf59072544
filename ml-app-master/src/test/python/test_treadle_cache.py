# SPDX-License-Identifier: Apache-2.0
"""Tests of treadle_cache.py: the cache."""
import multiprocessing
import os
import pickle
import random
import threading
import unittest

import treadle_cache
from cache_case import CacheCase, Container, MIB, WORKING


class CacheTest(CacheCase):
    """What is held in memory, and by whom."""

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


def _read_some(data, indexes):
    for i in indexes:
        if data[i] != CacheCase.content(i):
            os._exit(1)


if __name__ == "__main__":
    unittest.main()
