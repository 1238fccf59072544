# SPDX-License-Identifier: Apache-2.0
"""Trains the network of digits_ddp.py with however many workers there are: their number may change between any two steps.

The batch of all workers together stays the same, and each sample is trained once an epoch, whatever happens meanwhile.
"""
import argparse
import json
import os

import torch
import torch.distributed
from torch import nn

import treadle_batches
import treadle_worker
from digits_ddp import accuracy, data, network, save, shifted


# Kept until the process ends: PyTorch may hang at its end where gloo's thread is the last to let go of a tensor that Python has
# seen (https://github.com/pytorch/pytorch/issues/56297).
agreed = torch.zeros(2, dtype=torch.int64)


def least(*values):
    """The least of all ranks' values. Ranks see a command a moment apart, and must act on it at the same step."""
    agreed.copy_(torch.tensor(values))
    torch.distributed.all_reduce(agreed, op=torch.distributed.ReduceOp.MIN)
    return agreed.tolist()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=64, help="samples of a step, of all workers together")
    parser.add_argument("--result", default="result.json")
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(1)
    torch.distributed.init_process_group("gloo")
    images, labels, test_images, test_labels = data()
    model = nn.parallel.DistributedDataParallel(network())
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    with treadle_worker.Job() as job:
        batches = treadle_batches.Batches(job, len(labels), args.batch, args.epochs)
        path = job.latest_checkpoint()
        if path:
            kept = torch.load(path)
            model.load_state_dict(kept["model"])
            optimizer.load_state_dict(kept["optimizer"])
            batches.load_state_dict(kept["batches"])
        print(f"rank {job.rank} of {job.world_size}: goes on after step {batches.step}", flush=True)

        answered = 0
        for step, batch in enumerate(batches, start=batches.step + 1):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(shifted(images[batch])), labels[batch])
            loss.backward()
            optimizer.step()
            job.report(step, batches.samples(step), loss=loss.item(), batchSize=args.batch // job.world_size)
            job.pace()
            stop, wanted = least(job.should_stop(), job.wanted_checkpoint())
            if wanted > answered or batches.ends_epoch(step):
                answered = max(answered, wanted)
                if job.rank == 0:
                    save(os.path.join(job.checkpoint_dir or "checkpoints", f"step-{step}.pt"),
                         {"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                          "batches": batches.state_dict(step)})
                job.checkpointed(f"step-{step}.pt" if job.rank == 0 else None)
            if stop:
                break
        else:
            if job.rank == 0:
                with open(args.result, "w", encoding="utf-8") as file:
                    json.dump({"testAccuracy": accuracy(model.module, test_images, test_labels),
                               "steps": batches.steps}, file)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
