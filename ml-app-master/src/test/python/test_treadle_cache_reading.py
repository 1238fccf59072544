# SPDX-License-Identifier: Apache-2.0
"""Tests of treadle_cache.py: reading and datasets."""
import itertools
import os
import pickle
import unittest
import unittest.mock

import treadle_cache
from cache_case import CacheCase, Container, MIB, SteadyTime, WORKING


class ReadingTest(CacheCase):
    """What is read from storage, how fast, and what a dataset is."""

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

    def test_memory_is_as_fast_as_the_cpu_time_of_copying_says(self):
        self.container.sizes(WORKING + 5)
        data = self.dataset(self.files(10))
        self.read_all(data)
        with unittest.mock.patch.object(treadle_cache.time, "thread_time", side_effect=itertools.count(0, 0.0005)):
            self.read_all(data)
        with self.container.job as job:
            job.report(1, 20)
        # 1 MiB in half a millisecond, however long a core was waited for.
        self.assertAlmostEqual(MIB / 0.0005 / 1e6, self.container.data()[-1]["memoryMBps"], places=3)

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


if __name__ == "__main__":
    unittest.main()
