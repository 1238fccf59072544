# SPDX-License-Identifier: Apache-2.0
"""Tests of treadle_batches.py, run as those of treadle_worker.py are."""
import json
import random
import unittest

import treadle_batches
import treadle_worker


def batches(rank, world, samples=103, batch=16, epochs=3, seed=5):
    job = treadle_worker.Job({"RANK": str(rank), "WORLD_SIZE": str(world)})
    return treadle_batches.Batches(job, samples, batch, epochs, seed)


class BatchesTest(unittest.TestCase):
    def test_an_epoch_holds_every_sample_once_in_batches_of_like_sizes(self):
        found = list(batches(0, 1))
        self.assertEqual(3 * 7, len(found))
        for epoch in range(3):
            of_epoch = found[7 * epoch : 7 * epoch + 7]
            self.assertEqual(list(range(103)), sorted(sum(of_epoch, [])))
            self.assertEqual({14, 15}, set(map(len, of_epoch)))
        self.assertNotEqual(found[:7], found[7:14], "another order in each epoch")

    def test_a_step_trains_the_same_samples_whatever_the_number_of_workers(self):
        alone = list(batches(0, 1))
        for world in (2, 3, 8, 14):
            together = zip(*(batches(rank, world) for rank in range(world)))
            for step, (whole, parts) in enumerate(zip(alone, together), start=1):
                self.assertEqual(whole, sum(parts, []))
                self.assertEqual(len(whole), batches(0, world).size(step))
                self.assertLessEqual(max(map(len, parts)) - min(map(len, parts)), 1)

    def test_any_course_of_rescales_trains_each_sample_once_an_epoch(self):
        dice = random.Random(1)
        for _ in range(50):
            state, trained = {"step": 0, "done": []}, []
            while state["step"] < 21:
                world = dice.choice((1, 2, 3, 5, 8))
                workers = [batches(rank, world) for rank in range(world)]
                for worker in workers:
                    worker.load_state_dict(json.loads(json.dumps(state)))
                begin = state["step"]
                end = min(21, begin + dice.randint(1, 9))
                for parts in list(zip(*workers))[: end - begin]:
                    trained += sum(parts, [])
                state = workers[-1].state_dict(end)
                self.assertEqual(state, workers[0].state_dict(end))
                self.assertEqual([worker.samples(end) for worker in workers], state["done"][:world])
            self.assertEqual(sorted(3 * list(range(103))), sorted(trained))
            self.assertEqual(3 * 103, sum(state["done"]))

    def test_workers_that_come_and_go_train_each_sample_once_an_epoch(self):
        dice = random.Random(2)
        for _ in range(50):
            first = [0, 1]
            workers = {rank: batches(rank, len(first)) for rank in first}
            loops = {rank: iter(worker) for rank, worker in workers.items()}
            trained, counts = [], {}
            for step in range(1, 22):
                for rank, loop in loops.items():
                    part = next(loop)
                    trained += part
                    counts[rank] = counts.get(rank, 0) + len(part)
                    self.assertEqual(counts[rank], workers[rank].samples(step))
                stay = sorted(dice.sample(range(6), dice.randint(1, 4)))
                held = set(workers) & set(stay) or {min(workers)}
                stay = sorted(held | set(stay))
                state = json.loads(json.dumps(workers[min(held)].state_dict(step)))
                for rank in set(workers) - set(stay):
                    del workers[rank], loops[rank]
                for rank in held:
                    workers[rank].go_on(step, stay)
                for rank in set(stay) - held:
                    workers[rank] = batches(rank, rank + 1)
                    workers[rank].load_state_dict(state)
                    workers[rank].go_on(step, stay)
                    loops[rank] = iter(workers[rank])
                    self.assertEqual(counts.get(rank, 0), workers[rank].samples(step), "a rank counts on")
            self.assertEqual(sorted(3 * list(range(103))), sorted(trained))
        with self.assertRaisesRegex(ValueError, "has 14 for 15 workers"):
            batches(0, 1).go_on(0, range(15))
        with self.assertRaisesRegex(ValueError, "has 14 for 0 workers"):
            batches(0, 1).go_on(0, [])

    def test_goes_on_where_the_checkpoint_is(self):
        whole, rest = list(batches(1, 2)), batches(1, 2)
        rest.load_state_dict({"step": 9, "done": [70, 63]})
        self.assertEqual((9, 12), (rest.step, len(rest)))
        self.assertEqual(whole[9:], list(rest))
        self.assertEqual(63, rest.samples(9))
        self.assertEqual(63 + len(whole[9]) + len(whole[10]), rest.samples(11))
        self.assertEqual(63 + len(whole[9]), rest.samples(10), "also of a step before the one that was asked last")

    def test_knows_where_epochs_end(self):
        found = batches(0, 1)
        self.assertEqual([7, 14, 21], [step for step in range(1, 22) if found.ends_epoch(step)])

    def test_what_cannot_be_is_named(self):
        for values, message in (
            ({"batch": 0}, "batch is 0, must be 1 or more"),
            ({"samples": 0}, "samples is 0, must be 1 or more"),
            ({"epochs": -1}, "epochs is -1, must be 1 or more"),
            ({"world": 15}, "a batch of 16 of 103 samples has 14 for 15 workers. Maybe make it larger"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                batches(**{"rank": 0, "world": 1, **values})
        with self.assertRaisesRegex(ValueError, "the checkpoint is at step 22, must be at 0 to 21"):
            batches(0, 1).load_state_dict({"step": 22, "done": [1]})
        with self.assertRaisesRegex(ValueError, "written with batch 16, must be 32 as here"):
            batches(0, 1, batch=32).load_state_dict(batches(0, 1).state_dict(3))
        later = batches(0, 1)
        later.load_state_dict(batches(0, 1).state_dict(3))
        with self.assertRaisesRegex(ValueError, "step is 2, must be 3 or more"):
            later.samples(2)


if __name__ == "__main__":
    unittest.main()
