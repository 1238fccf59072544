# SPDX-License-Identifier: Apache-2.0
"""Tests of treadle_worker.py: python3 -m unittest discover -s src/test/python (with src/main/python on PYTHONPATH)."""
import json
import os
import tempfile
import time
import unittest

import treadle_worker


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class JobTest(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.clock = Clock()
        self.env = {
            "TREADLE_PROGRESS_FILE": self.path("progress.jsonl"),
            "TREADLE_COMMAND_FILE": self.path("command.json"),
            "TREADLE_CONTROL_DIR": self.dir.name,
            "TREADLE_CHECKPOINT_DIR": self.path("checkpoints"),
            "RANK": "2",
            "WORLD_SIZE": "4",
        }

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def job(self):
        return treadle_worker.Job(self.env, self.clock)

    def lines(self):
        with open(self.env["TREADLE_PROGRESS_FILE"], encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def write(self, name, value):
        with open(self.path(name + ".tmp"), "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        os.rename(self.path(name + ".tmp"), self.path(name))

    def test_reports_lines_of_the_contract(self):
        with self.job() as job:
            job.report(3, 48, loss=0.5, epoch=None)
        first = self.lines()[0]
        self.assertEqual((3, 48, 0.5), (first["step"], first["samples"], first["loss"]))
        self.assertAlmostEqual(time.time(), first["ts"], delta=60)
        self.assertNotIn("epoch", first)

    def test_writes_at_most_ten_lines_a_second_and_the_last_one_at_the_end(self):
        with self.job() as job:
            for step in range(1000):
                self.clock.now += 0.001
                job.report(step, step * 16)
        lines = self.lines()
        self.assertLessEqual(len(lines), 12)
        self.assertEqual(999 * 16, lines[-1]["samples"])

    def test_reads_resources_at_most_twice_a_second(self):
        job = self.job()
        self.assertIsNone(job.resources())
        self.write("resources.json", {"version": 1, "vcores": 4})
        self.assertIsNone(job.resources())
        self.clock.now += 0.6
        self.assertEqual(4, job.resources()["vcores"])

    def test_missing_or_broken_resources_keep_the_last_ones(self):
        job = self.job()
        self.write("resources.json", {"version": 1, "vcores": 4})
        self.assertEqual(4, job.resources()["vcores"])
        for broken in ("{", "[1]", ""):
            self.clock.now += 1
            self.write("resources.json", broken)
            self.assertEqual(4, job.resources()["vcores"])
        os.remove(self.path("resources.json"))
        self.clock.now += 1
        self.assertEqual(4, job.resources()["vcores"])

    def test_answers_commands(self):
        job = self.job()
        self.assertFalse(job.should_checkpoint())
        self.write("command.json", {"epoch": 5, "command": "checkpoint", "deadlineMs": 0})
        self.clock.now += 1
        self.assertTrue(job.should_checkpoint())
        self.assertFalse(job.should_stop())
        job.checkpointed("ck-10")
        self.assertEqual(("ck-10", 5), (self.lines()[-1]["checkpoint"], self.lines()[-1]["commandEpoch"]))
        self.assertFalse(job.should_checkpoint())
        self.write("command.json", {"epoch": 6, "command": "stop", "deadlineMs": 0})
        self.clock.now += 1
        self.assertTrue(job.should_stop())
        self.assertTrue(job.should_checkpoint())
        job.checkpointed()
        self.assertEqual(6, self.lines()[-1]["commandEpoch"])
        self.assertNotIn("checkpoint", self.lines()[-1])
        self.assertFalse(job.should_checkpoint())
        self.assertTrue(job.should_stop(), "must still end after its last checkpoint")

    def test_a_wanted_checkpoint_has_its_commands_number_also_when_it_is_answered(self):
        job = self.job()
        self.assertEqual(0, job.wanted_checkpoint())
        for epoch, command, wanted in ((5, "rescale", 5), (6, "stop", 6), (7, "dance", 0)):
            self.write("command.json", {"epoch": epoch, "command": command, "deadlineMs": 0})
            self.clock.now += 1
            self.assertEqual(wanted, job.wanted_checkpoint())
            job.checkpointed()
            self.assertEqual(wanted, job.wanted_checkpoint())

    def command(self, epoch, command, **fields):
        self.write("command.json", {"epoch": epoch, "command": command, "deadlineMs": 0, **fields})
        self.clock.now += 1

    def test_another_batch_is_used_and_then_said(self):
        job = self.job()
        self.assertEqual(64, job.local_batch(64))
        job.report(1, 64)
        self.assertEqual((64, 1), (self.lines()[-1]["batchSize"], self.lines()[-1]["passes"]))
        self.command(5, "batch", batchSize=24)
        self.assertFalse(job.should_checkpoint() or job.should_stop())
        job.checkpointed("ck-1")
        self.assertNotIn("commandEpoch", self.lines()[-1], "a checkpoint is no answer to it")
        self.assertEqual(24, job.local_batch(64))
        job.report(2, 128)
        line = self.lines()[-1]
        self.assertEqual((24, 3, 5), (line["batchSize"], line["passes"], line["commandEpoch"]))
        self.clock.now += 1
        self.assertEqual(24, job.local_batch(64))
        job.report(3, 192)
        self.assertNotIn("commandEpoch", self.lines()[-1], "answered once")
        self.command(6, "checkpoint")
        self.assertEqual(24, job.local_batch(64), "another command changes nothing of it")
        job.checkpointed("ck-2")
        self.assertEqual(6, self.lines()[-1]["commandEpoch"])
        self.command(7, "batch", batchSize=0)
        self.assertEqual(64, job.local_batch(64))
        job.report(4, 256)
        line = self.lines()[-1]
        self.assertEqual((64, 1, 7), (line["batchSize"], line["passes"], line["commandEpoch"]))

    def test_a_batch_that_does_not_fit_is_refused(self):
        job = self.job()
        self.assertEqual(16, job.local_batch(16, step_samples=64))
        self.assertFalse(job.refuse_batch("out of memory"), "its own")
        self.command(5, "batch", batchSize=32)
        self.assertEqual(32, job.local_batch(16, step_samples=64))
        self.assertTrue(job.refuse_batch("out of memory"))
        line = self.lines()[-1]
        self.assertEqual((5, "out of memory", 16, 4), tuple(line[k] for k in ("commandEpoch", "refused", "batchSize", "passes")))
        self.assertEqual(16, job.local_batch(16, step_samples=64))
        job.report(1, 64)
        self.assertNotIn("refused", self.lines()[-1])
        self.command(6, "batch", batchSize=200)
        self.assertEqual(64, job.local_batch(16, step_samples=64), "no more than a step")

    def test_who_does_not_ask_for_its_batch_ignores_the_command(self):
        job = self.job()
        self.command(5, "batch", batchSize=32)
        job.report(1, 64)
        self.assertFalse({"commandEpoch", "passes", "batchSize"} & set(self.lines()[-1]))

    def test_a_checkpoint_that_nobody_asked_for_answers_nothing(self):
        job = self.job()
        job.checkpointed("ck-1")
        self.assertNotIn("commandEpoch", self.lines()[-1])

    def test_finds_the_newest_complete_checkpoint(self):
        job = self.job()
        self.assertIsNone(job.latest_checkpoint())
        os.mkdir(self.env["TREADLE_CHECKPOINT_DIR"])
        self.assertIsNone(job.latest_checkpoint())
        for age, name in ((30, "a"), (20, "b"), (10, "c.tmp"), (5, ".d")):
            path = os.path.join(self.env["TREADLE_CHECKPOINT_DIR"], name)
            open(path, "w", encoding="utf-8").close()
            os.utime(path, (1000 - age, 1000 - age))
        self.assertEqual("b", os.path.basename(job.latest_checkpoint()))

    def test_paces_to_the_share_of_a_core(self):
        self.env["TREADLE_VCORE_CORES"] = "0.1"
        self.write("resources.json", {"version": 1, "vcores": 2})
        slept = []
        job = self.job()
        real_sleep = time.sleep

        def sleep(seconds):
            slept.append(seconds)
            self.clock.now += seconds

        time.sleep = sleep
        self.addCleanup(setattr, time, "sleep", real_sleep)
        used = 0.0
        start = self.clock.now
        job.pace(cpu_seconds=used)
        for _ in range(200):
            used += 0.01
            self.clock.now += 0.01
            job.pace(cpu_seconds=used)
        self.assertAlmostEqual(0.2, used / (self.clock.now - start), delta=0.01)
        self.assertTrue(slept)

    def test_without_treadle_everything_is_harmless(self):
        with treadle_worker.Job({}) as job:
            job.report(1, 16)
            job.pace()
            self.assertIsNone(job.resources())
            self.assertFalse(job.should_checkpoint())
            self.assertFalse(job.should_stop())
            job.checkpointed("x")
            self.assertIsNone(job.latest_checkpoint())
        self.assertEqual((0, 1), (job.rank, job.world_size))

    def test_a_progress_file_that_cannot_be_written_does_not_stop_training(self):
        self.env["TREADLE_PROGRESS_FILE"] = self.path("no/such/dir/file")
        with self.job() as job:
            job.report(1, 16, loss=object())

    def test_a_directory_that_cannot_be_reached_is_named_with_what_to_do(self):
        self.env.update({"TREADLE_CHECKPOINT_DIR": "hdfs://nn:8020/ck", "PATH": self.dir.name})
        job = self.job()
        for use in (job.latest_checkpoint, lambda: job.checkpointed("a"), lambda: job.checkpoint_dir):
            with self.assertRaisesRegex(OSError, "hdfs://nn:8020/ck.*\n.*'checkpointDir'"):
                use()
        self.assertFalse(os.path.exists("hdfs:"))


@unittest.skipUnless("TREADLE_TEST_HADOOP_HOME" in os.environ, "needs Hadoop's command: see PythonHelperTest")
class HadoopDirectoryTest(unittest.TestCase):
    """Against Hadoop's own shell, on a file system that Python cannot open (viewfs)."""

    def test_checkpoints_come_back_in_another_container(self):
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            writer, reader = self.job(first), self.job(second)
            self.assertIsNone(reader.latest_checkpoint())
            for step in ("1", "2"):
                with open(os.path.join(writer.checkpoint_dir, "state-" + step), "w", encoding="utf-8") as file:
                    file.write("step " + step)
                writer.checkpointed("state-" + step)
                time.sleep(0.01)
            path = reader.latest_checkpoint()
            self.assertTrue(path.startswith(second), path)
            with open(path, encoding="utf-8") as file:
                self.assertEqual("step 2", file.read())
            os.mkdir(os.path.join(writer.checkpoint_dir, "sharded"))
            writer.checkpointed("sharded")
            writer.checkpointed("sharded")
            self.assertEqual([], os.listdir(reader.latest_checkpoint()))
            with self.assertRaisesRegex(OSError, "-put.*no-such"):
                writer.checkpointed("no-such")

    def job(self, directory):
        env = dict(os.environ)
        env.update(
            {
                "HADOOP_HOME": os.environ["TREADLE_TEST_HADOOP_HOME"],
                "TREADLE_CHECKPOINT_DIR": "viewfs://shared/ck",
                "TREADLE_PROGRESS_FILE": os.path.join(directory, "progress.jsonl"),
            }
        )
        return treadle_worker.Job(env)


if __name__ == "__main__":
    unittest.main()
