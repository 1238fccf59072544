# SPDX-License-Identifier: Apache-2.0
"""Trains the network of digits_ddp.py with workers and parameter servers, however many of both there are.

Workers share each batch and compute gradients; each layer's parameters are spread evenly over the servers, which add up the
gradients of all workers, take a step and give the new parameters back. A layer's gradients travel as soon as they are
computed, while those of the layers before it still are. Workers find the servers by TREADLE_SERVERS. Between two steps workers
may come and go while the others train on ("joins: true" in the job): who comes asks the servers for the parameters. For
another number of servers the first worker keeps a checkpoint, and all are started anew.
"""
import argparse
import json
import os
import queue
import socket
import sys
import threading
import time
import types

import numpy
import torch
from torch import nn

import treadle_batches
import treadle_worker
from digits_ddp import accuracy, data, network, save, shifted
from parameter_server import AGREE, CONNECT_SECONDS, DONE, GRADIENT, INIT, JOIN, OF, PARAMETERS, STATE, Connection, part

#: Who joins others finds their servers running, or too late.
JOIN_SECONDS = 5


class Servers:
    """A worker's connections to all servers."""

    def __init__(self, addresses, patience):
        self._connections = [Connection(self._connect(address, patience)) for address in addresses]
        self._inbox = [queue.SimpleQueue() for _ in addresses]
        self._outbox = queue.SimpleQueue()
        for connection, inbox in zip(self._connections, self._inbox):
            threading.Thread(target=self._listen, args=(connection, inbox), daemon=True).start()
        threading.Thread(target=self._push, daemon=True).start()

    @staticmethod
    def _connect(address, patience):
        host, port = address.rsplit(":", 1)
        end = time.monotonic() + patience
        while True:
            try:
                return socket.create_connection((host, int(port)), timeout=None)
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def _listen(self, connection, inbox):
        try:
            while True:
                inbox.put(connection.receive())
        except (EOFError, OSError):
            inbox.put(None)

    def _push(self):
        while True:
            layer, gradient, of = self._outbox.get()
            for server, connection in enumerate(self._connections):
                try:
                    connection.send(GRADIENT, layer, OF.pack(of) + part(gradient, server, len(self)).tobytes())
                except OSError:
                    return

    def __len__(self):
        return len(self._connections)

    def begin(self, layer, *tensors):
        """Each server's part of a layer's parameters and velocity, from which it goes on."""
        for server, connection in enumerate(self._connections):
            parts = [part(tensor, server, len(self)) for tensor in tensors]
            connection.send(INIT, layer, numpy.concatenate(parts).tobytes())

    def push(self, layer, gradient, of):
        """Sends each server its part, in the background, in order; there is one of so many workers."""
        self._outbox.put((layer, gradient, of))

    def _next(self, server):
        message = self._inbox[server].get()
        if message is None:
            sys.exit(f"server {server} is gone")
        return message

    def pull(self, layers):
        """As many messages of each server as there are layers: by layer, what they have together."""
        parts = {}
        for server in range(len(self._connections)):
            for _ in range(layers):
                _, layer, content = self._next(server)
                parts.setdefault(layer, []).append(numpy.frombuffer(content, dtype=numpy.float32))
        return {layer: numpy.concatenate(of) for layer, of in parts.items()}

    def ask(self, kind, layers):
        """What the servers have now: PARAMETERS, or in STATE what they keep beside them."""
        for layer in range(layers):
            for connection in self._connections:
                connection.send(kind, layer)
        return self.pull(layers)

    def agree(self, step, **flags):
        """Who trains the next step, and for which command all want a checkpoint, by the first server."""
        self._connections[0].send(AGREE, step, json.dumps(flags).encode())
        return json.loads(self._next(0)[2])

    def join(self, rank):
        """Waits for the others to let this one in; returns where they are, or nothing where they have ended."""
        self._connections[0].send(JOIN, rank)
        kind, _, state = self._inbox[0].get() or (DONE, 0, b"")
        return json.loads(state) if kind == JOIN else None

    def bring(self, step, state):
        """Says to those who join where the others are."""
        self._connections[0].send(JOIN, step, json.dumps(state).encode())

    def done(self):
        for connection in self._connections:
            try:
                connection.send(DONE, 0)
            except OSError:
                pass  # It has ended before.


def work(args, servers, job, place):
    images, labels, test_images, test_labels = data()
    torch.manual_seed(1)
    model = network()
    layers = list(model.parameters())
    batches = treadle_batches.Batches(place, len(labels), args.batch, args.epochs)
    ranks = list(range(place.world_size))

    def flat(layer):
        return layer.detach().numpy().ravel()

    def take(parameters):
        with torch.no_grad():
            for number, layer in enumerate(layers):
                layer.copy_(torch.from_numpy(parameters[number]).view_as(layer))

    def begin():
        velocity = [numpy.zeros(layer.numel(), dtype=numpy.float32) for layer in layers]
        path = job.latest_checkpoint()
        if path:
            kept = torch.load(path)
            model.load_state_dict(kept["model"])
            velocity = kept["velocity"]
            batches.load_state_dict(kept["batches"])
        if place.rank == 0:
            for number, layer in enumerate(layers):
                servers.begin(number, flat(layer), velocity[number])

    def keep(step):
        velocity = servers.ask(STATE, len(layers))
        save(os.path.join(job.checkpoint_dir or "checkpoints", f"step-{step}.pt"),
             {"model": model.state_dict(), "velocity": [velocity[number] for number in range(len(layers))],
              "batches": batches.state_dict(step)})
        return f"step-{step}.pt"

    if job.joined_after is None:
        begin()
    else:
        found = servers.join(place.rank)
        if not found:
            servers.done()
            return
        take(servers.ask(PARAMETERS, len(layers)))
        batches.load_state_dict(found["batches"])
        ranks = found["ranks"]
        batches.go_on(batches.step, ranks)
    print(f"worker {place.rank} of {ranks}: goes on after step {batches.step}", flush=True)

    share = [1]
    for number, layer in enumerate(layers):
        # Each worker's part of a batch counts by its samples.
        layer.register_hook(lambda gradient, number=number: servers.push(
            number, gradient.numpy().ravel() * numpy.float32(share[0]), len(ranks)))

    answered = 0
    courses = [len(ranks)]
    for step, batch in enumerate(batches, start=batches.step + 1):
        share[0] = len(batch) / batches.size(step)
        loss = nn.functional.cross_entropy(model(shifted(images[batch])), labels[batch])
        loss.backward()
        take(servers.pull(len(layers)))
        job.report(step, batches.samples(step), loss=loss.item(), batchSize=args.batch // len(ranks))
        job.pace()
        agreed = servers.agree(
            step, rank=place.rank, of=len(ranks), stop=job.should_stop(), wanted=job.wanted_checkpoint())
        stay = [rank for rank in ranks if rank in agreed["ranks"]]
        if agreed["wanted"] > answered or batches.ends_epoch(step):
            answered = max(answered, agreed["wanted"])
            # By one without whose gradient the servers cannot take the next step meanwhile.
            job.checkpointed(keep(step) if place.rank == (stay or ranks)[0] else None)
        if place.rank not in agreed["ranks"]:
            break
        if agreed["ranks"] != ranks:
            if place.rank == stay[0] and agreed["come"]:
                servers.bring(step, {"ranks": agreed["ranks"], "batches": batches.state_dict(step)})
            ranks = agreed["ranks"]
            batches.go_on(step, ranks)
            courses.append(len(ranks))
            print(f"after step {step} {ranks} train", flush=True)
    else:
        if place.rank == ranks[0]:
            with open(args.result, "w", encoding="utf-8") as file:
                json.dump({"testAccuracy": accuracy(model, test_images, test_labels), "steps": batches.steps,
                           "begunAfterStep": batches.step, "workers": courses, "servers": len(servers)}, file)
    servers.done()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=64, help="samples of a step, of all workers together")
    parser.add_argument("--result", default="result.json")
    args = parser.parse_args()

    torch.set_num_threads(1)
    place = types.SimpleNamespace(
        rank=int(os.environ["ROLE_RANK"]), world_size=int(os.environ["ROLE_WORLD_SIZE"]))
    with treadle_worker.Job() as job:
        joins = job.joined_after is not None
        try:
            servers = Servers(os.environ["TREADLE_SERVERS"].split(","), JOIN_SECONDS if joins else CONNECT_SECONDS)
        except OSError:
            if joins:
                sys.exit("the servers are gone: this worker comes too late")
            raise
        work(args, servers, job, place)


if __name__ == "__main__":
    main()
