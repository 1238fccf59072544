# SPDX-License-Identifier: Apache-2.0
"""Trains the network of digits_ddp.py with workers and parameter servers, however many of both there are.

Workers share each batch and compute gradients; each layer's parameters are spread evenly over the servers, which add up the
gradients of all workers, take a step and give the new parameters back. A layer's gradients travel as soon as they are
computed, while those of the layers before it still are. Workers and servers find each other by TREADLE_WORKERS and
TREADLE_SERVERS; between two steps their numbers may change: worker 0 keeps a checkpoint, and all are started anew.
"""
import argparse
import json
import os
import queue
import socket
import struct
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

#: What is sent, its layer (or a number), and how many bytes follow.
HEADER = struct.Struct("!cii")
GRADIENT, PARAMETERS, INIT, FLAGS, STATE, DONE = b"g", b"p", b"i", b"f", b"s", b"d"
CONNECT_SECONDS = 60


def part(tensor, server, servers):
    """The server's part of a layer."""
    return numpy.array_split(tensor, servers)[server]


class Connection:
    """Messages over a socket."""

    def __init__(self, connected):
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connected
        self._lock = threading.Lock()

    def send(self, kind, number, content=b""):
        with self._lock:
            self._socket.sendall(HEADER.pack(kind, number, len(content)) + content)

    def receive(self):
        """The next message; raises EOFError at the end."""
        kind, number, length = HEADER.unpack(self._exactly(HEADER.size))
        return kind, number, self._exactly(length)

    def _exactly(self, length):
        content = bytearray()
        while len(content) < length:
            more = self._socket.recv(min(1 << 20, length - len(content)))
            if not more:
                raise EOFError("the other end is gone")
            content += more
        return bytes(content)


class Server:
    """Holds its part of each layer, and takes a step when all workers' gradients of the layer are there."""

    def __init__(self, workers, rate, momentum):
        self._workers, self._rate, self._momentum = workers, rate, momentum
        self._parameters, self._velocity = [], []
        self._sums, self._counts = {}, {}
        self._flags = []
        self._connections = []
        self._lock = threading.Lock()

    def serve(self, port):
        """Until all workers have said that they are done."""
        listening = socket.create_server(("", port))
        listening.settimeout(CONNECT_SECONDS)
        self._connections = [Connection(listening.accept()[0]) for _ in range(self._workers)]
        threads = [threading.Thread(target=self._follow, args=(one,)) for one in self._connections]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _follow(self, worker):
        try:
            while True:
                kind, number, content = worker.receive()
                if kind == DONE:
                    return
                self._take(worker, kind, number, content)
        except (EOFError, OSError) as gone:
            print(f"a worker is gone: {gone}", file=sys.stderr, flush=True)
            os._exit(1)  # The others wait for it: the job starts anew from its checkpoint.

    def _take(self, worker, kind, number, content):
        with self._lock:
            if kind == INIT:
                both = numpy.frombuffer(content, dtype=numpy.float32).copy()
                self._parameters.append(both[: len(both) // 2])
                self._velocity.append(both[len(both) // 2 :])
            elif kind == STATE:
                worker.send(STATE, number, self._velocity[number].tobytes())
            elif kind == FLAGS:
                self._agree(struct.unpack("!qq", content), number)
            else:
                self._add(number, numpy.frombuffer(content, dtype=numpy.float32))

    def _add(self, layer, gradient):
        self._sums[layer] = self._sums.get(layer, 0) + gradient
        self._counts[layer] = self._counts.get(layer, 0) + 1
        if self._counts[layer] == self._workers:
            velocity = self._velocity[layer]
            velocity *= self._momentum
            velocity += self._sums.pop(layer)
            del self._counts[layer]
            self._parameters[layer] -= self._rate * velocity
            self._tell(PARAMETERS, layer, self._parameters[layer].tobytes())

    def _agree(self, flags, step):
        """Workers see a command a moment apart, and must act on it at the same step: by the least of all."""
        self._flags.append(flags)
        if len(self._flags) == self._workers:
            least = [min(values) for values in zip(*self._flags)]
            self._flags = []
            self._tell(FLAGS, step, struct.pack("!qq", *least))

    def _tell(self, kind, number, content):
        for worker in self._connections:
            worker.send(kind, number, content)


class Servers:
    """A worker's connections to all servers."""

    def __init__(self, addresses):
        self._connections = [Connection(self._connect(address)) for address in addresses]
        self._inbox = [queue.SimpleQueue() for _ in addresses]
        self._outbox = queue.SimpleQueue()
        for connection, inbox in zip(self._connections, self._inbox):
            threading.Thread(target=self._listen, args=(connection, inbox), daemon=True).start()
        threading.Thread(target=self._push, daemon=True).start()

    @staticmethod
    def _connect(address):
        host, port = address.rsplit(":", 1)
        end = time.monotonic() + CONNECT_SECONDS
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
            layer, gradient = self._outbox.get()
            for server, connection in enumerate(self._connections):
                try:
                    connection.send(GRADIENT, layer, part(gradient, server, len(self)).tobytes())
                except OSError:
                    return

    def __len__(self):
        return len(self._connections)

    def begin(self, layer, *tensors):
        """Each server's part of a layer's parameters and velocity, from which it goes on."""
        for server, connection in enumerate(self._connections):
            parts = [part(tensor, server, len(self)) for tensor in tensors]
            connection.send(INIT, layer, numpy.concatenate(parts).tobytes())

    def push(self, layer, gradient):
        """Sends each server its part, in the background, in order."""
        self._outbox.put((layer, gradient))

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

    def velocity(self, layers):
        """What the servers keep beside the parameters."""
        for layer in range(layers):
            for connection in self._connections:
                connection.send(STATE, layer)
        return self.pull(layers)

    def agree(self, step, *flags):
        """The least of all workers' flags, by the first server."""
        self._connections[0].send(FLAGS, step, struct.pack("!qq", *flags))
        return struct.unpack("!qq", self._next(0)[2])

    def done(self):
        for connection in self._connections:
            connection.send(DONE, 0)


def work(args, servers, job, place):
    images, labels, test_images, test_labels = data()
    torch.manual_seed(1)
    model = network()
    layers = list(model.parameters())
    batches = treadle_batches.Batches(place, len(labels), args.batch, args.epochs)
    velocity = [numpy.zeros(layer.numel(), dtype=numpy.float32) for layer in layers]
    path = job.latest_checkpoint()
    if path:
        kept = torch.load(path)
        model.load_state_dict(kept["model"])
        velocity = kept["velocity"]
        batches.load_state_dict(kept["batches"])
    print(f"worker {place.rank} of {place.world_size}: goes on after step {batches.step}", flush=True)

    def flat(layer):
        return layer.detach().numpy().ravel()

    def take(parameters):
        with torch.no_grad():
            for number, layer in enumerate(layers):
                layer.copy_(torch.from_numpy(parameters[number]).view_as(layer))

    if place.rank == 0:
        for number, layer in enumerate(layers):
            servers.begin(number, flat(layer), velocity[number])

    share = [1]
    for number, layer in enumerate(layers):
        # Each worker's part of a batch counts by its samples.
        layer.register_hook(lambda gradient, number=number: servers.push(
            number, gradient.numpy().ravel() * numpy.float32(share[0])))

    answered = 0
    for step, batch in enumerate(batches, start=batches.step + 1):
        share[0] = len(batch) / batches.size(step)
        loss = nn.functional.cross_entropy(model(shifted(images[batch])), labels[batch])
        loss.backward()
        take(servers.pull(len(layers)))
        job.report(step, batches.samples(step), loss=loss.item(), batchSize=args.batch // place.world_size)
        job.pace()
        stop, wanted = servers.agree(step, job.should_stop(), job.wanted_checkpoint())
        if wanted > answered or batches.ends_epoch(step):
            answered = max(answered, wanted)
            if place.rank == 0:
                velocity = servers.velocity(len(layers))
                save(os.path.join(job.checkpoint_dir or "checkpoints", f"step-{step}.pt"),
                     {"model": model.state_dict(), "velocity": [velocity[number] for number in range(len(layers))],
                      "batches": batches.state_dict(step)})
            job.checkpointed(f"step-{step}.pt" if place.rank == 0 else None)
        if stop:
            break
    else:
        if place.rank == 0:
            with open(args.result, "w", encoding="utf-8") as file:
                json.dump({"testAccuracy": accuracy(model, test_images, test_labels), "steps": batches.steps,
                           "begunAfterStep": batches.step, "workers": place.world_size, "servers": len(servers)}, file)
    servers.done()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=64, help="samples of a step, of all workers together")
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--result", default="result.json")
    args = parser.parse_args()

    torch.set_num_threads(1)
    addresses = os.environ["TREADLE_SERVERS"].split(",")
    place = types.SimpleNamespace(
        rank=int(os.environ["ROLE_RANK"]), world_size=int(os.environ["ROLE_WORLD_SIZE"]))
    if os.environ["TREADLE_GROUP"] == "ps":
        workers = len(os.environ["TREADLE_WORKERS"].split(","))
        with treadle_worker.Job():
            Server(workers, args.rate, args.momentum).serve(int(addresses[place.rank].rsplit(":", 1)[1]))
    else:
        with treadle_worker.Job() as job:
            work(args, Servers(addresses), job, place)


if __name__ == "__main__":
    main()
