# SPDX-License-Identifier: Apache-2.0
"""Which samples a worker trains in each step, so that the number of workers may change between any two steps: the batch of
all workers together stays as it is, and every sample is trained once in an epoch. Standard library only.

    import treadle_batches, treadle_worker
    with treadle_worker.Job() as job:
        batches = treadle_batches.Batches(job, len(dataset), batch=256, epochs=10)
        if checkpoint:
            batches.load_state_dict(checkpoint["batches"])
        loader = torch.utils.data.DataLoader(dataset, batch_sampler=batches)
        for step, (x, y) in enumerate(loader, start=batches.step + 1):
            train(x, y)
            job.report(step, batches.samples(step))

A checkpoint holds `batches.state_dict(step)` beside the model's and the optimizer's.
"""
import random


class Batches:
    """This worker's part of every batch from `step` on, as lists of sample numbers from 0.

    job      a treadle_worker.Job: says which worker this is, and of how many
    samples  in the dataset, at least one for each worker in each batch
    batch    samples of a step, of all workers together. An epoch is cut into as few batches as that allows, whose sizes
             differ by one sample at most: there is no small one at its end
    epochs   how often each sample is trained
    seed     of the order, which is another one in each epoch

    What a step trains depends on these numbers alone, not on how many workers there are or were.
    Raises ValueError where there would be workers without samples.
    """

    def __init__(self, job, samples, batch, epochs, seed=0):
        for name, value in (("samples", samples), ("batch", batch), ("epochs", epochs)):
            if value < 1:
                raise ValueError(f"{name} is {value}, must be 1 or more")
        self._rank, self._ranks = job.rank, list(range(job.world_size))
        self._samples = samples
        self._plan = {"samples": samples, "batch": batch, "seed": seed}
        self.steps_per_epoch = -(-samples // batch)
        self._check(self._ranks)
        self.steps = epochs * self.steps_per_epoch
        self.load_state_dict({"step": 0, "done": []})

    def state_dict(self, step):
        """What a checkpoint keeps of the position after `step` steps of the job; the same on every worker."""
        return {"step": step, "done": self._done(step), **self._plan}

    def load_state_dict(self, state):
        """Goes on from a checkpoint, whatever the number of workers that wrote it. Raises ValueError where it cannot be of
        this job: another dataset, batch or seed has other steps."""
        for name, value in self._plan.items():
            if state.get(name, value) != value:
                raise ValueError(f"the checkpoint was written with {name} {state[name]}, must be {value} as here")
        #: Steps of the job that are done when the iteration begins.
        self.step = state["step"]
        if not 0 <= self.step <= self.steps:
            raise ValueError(f"the checkpoint is at step {self.step}, must be at 0 to {self.steps}")
        self._go_on(self.step, state["done"])

    def go_on(self, step, ranks):
        """Other workers train from `step` on, the number of steps that are done: those of these ranks, of which this one may
        be one. For jobs whose workers come and go while the others train; samples that were handed out already stay with
        whom they were given to."""
        ranks = sorted(set(ranks))
        self._check(ranks)
        done = self._done(step)
        self._ranks = ranks
        self._go_on(step, done)

    def _go_on(self, step, done):
        before = list(done)
        self._begin, self._before = step, before + [0] * (max(self._ranks) + 1 - len(before))
        self._counted = (step, self._before)

    def _check(self, ranks):
        smallest = self._plan["samples"] // self.steps_per_epoch
        if not ranks or smallest < len(ranks):
            raise ValueError(
                f"a batch of {self._plan['batch']} of {self._plan['samples']} samples has {smallest} for {len(ranks)} workers."
                " Maybe make it larger, or allow the job fewer workers."
            )

    def ends_epoch(self, step):
        """Whether an epoch is complete when `step` steps are done."""
        return step % self.steps_per_epoch == 0

    def samples(self, step):
        """What this worker has done when the job has done `step` steps: what `job.report` asks for."""
        return self._done(step)[self._rank]

    def size(self, step):
        """Samples of a step of the job, of all workers together; steps count from 1."""
        return self._batch((step - 1) % self.steps_per_epoch)[1]

    def __len__(self):
        return self.steps - self.step

    def __iter__(self):
        order, ordered = [], -1
        for step in range(self.step, self.steps):
            epoch, place = divmod(step, self.steps_per_epoch)
            if epoch != ordered:
                order, ordered = list(range(self._samples)), epoch
                random.Random(f"{self._plan['seed']}/{epoch}").shuffle(order)
            begin, size = self._batch(place)
            yield order[begin + self._share(size, self._rank)[0] : begin + self._share(size, self._rank)[1]]

    def _batch(self, place):
        """Where the batch begins in its epoch, and how many samples it has."""
        begin = self._samples * place // self.steps_per_epoch
        return begin, self._samples * (place + 1) // self.steps_per_epoch - begin

    def _share(self, size, rank):
        """From where to where in a batch of so many samples is the rank's."""
        world, place = len(self._ranks), self._ranks.index(rank)
        return size * place // world, size * (place + 1) // world

    def _done(self, step):
        """Samples of each worker that there ever was, by rank."""
        if step < self._begin:
            raise ValueError(f"step is {step}, must be {self._begin} or more, where these workers began")
        counted, done = self._counted if self._counted[0] <= step else (self._begin, self._before)
        done = list(done)
        for earlier in range(counted, step):
            size = self._batch(earlier % self.steps_per_epoch)[1]
            for rank in self._ranks:
                begin, end = self._share(size, rank)
                done[rank] += end - begin
        self._counted = (step, done)
        return list(done)
