# SPDX-License-Identifier: Apache-2.0
"""Trains a small convolutional network on scikit-learn's handwritten digits with DistributedDataParallel over gloo.

An ordinary PyTorch script: the rendezvous comes from RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT as torchrun sets them,
and it keeps a checkpoint every epoch and goes on from it. The three lines marked with "Treadle" are all that was added.
"""
import argparse
import json
import os
import random

import numpy
import torch
import torch.distributed
from sklearn.datasets import load_digits
from torch import nn

import treadle_worker  # Treadle


def data():
    digits = load_digits()
    order = numpy.random.RandomState(0).permutation(len(digits.target))
    images = torch.tensor(digits.images[order], dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target[order])
    return images[360:], labels[360:], images[:360], labels[:360]


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.25), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10))


def shifted(images):
    """Augmentation: every batch moved by at most a pixel."""
    return torch.roll(images, (random.randint(-1, 1), random.randint(-1, 1)), dims=(2, 3))


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        right = (model(images).argmax(1) == labels).float().mean().item()
    model.train()
    return right


def save(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    torch.save(content, path + ".tmp")
    os.replace(path + ".tmp", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--checkpoint", default="checkpoints/digits.pt")
    parser.add_argument("--result", default="result.json")
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(1)
    torch.distributed.init_process_group("gloo")
    rank, world = torch.distributed.get_rank(), torch.distributed.get_world_size()
    images, labels, test_images, test_labels = data()
    model = nn.parallel.DistributedDataParallel(network())
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    epoch, step, best = 0, 0, 0.0
    if os.path.exists(args.checkpoint):
        kept = torch.load(args.checkpoint)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        epoch, step, best = kept["epoch"], kept["step"], kept["best"]
        print(f"rank {rank}: goes on after epoch {epoch}", flush=True)

    job = treadle_worker.Job()  # Treadle
    while epoch < args.epochs:
        order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(epoch))[rank::world]
        for begin in range(0, len(order) // args.batch * args.batch, args.batch):
            batch = order[begin : begin + args.batch]
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(shifted(images[batch])), labels[batch])
            loss.backward()
            optimizer.step()
            step += 1
            job.report(step, step * args.batch, loss=loss.item(), epoch=epoch, batchSize=args.batch)  # Treadle
        epoch += 1
        if rank == 0:
            best = accuracy(model.module, test_images, test_labels)
            save(args.checkpoint, {"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                                   "epoch": epoch, "step": step, "best": best})
            print(f"epoch {epoch}: test accuracy {best:.4f}", flush=True)
        torch.distributed.barrier()
    if rank == 0:
        with open(args.result, "w", encoding="utf-8") as file:
            json.dump({"testAccuracy": best, "epochs": epoch}, file)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
