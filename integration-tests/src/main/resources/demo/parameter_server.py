# SPDX-License-Identifier: Apache-2.0
"""A parameter server: its part of each layer of the workers of digits_ps.py.

It adds up the gradients of all workers, takes a step, and gives the new parameters back. How many servers there are it is
told by TREADLE_SERVERS; it needs no PyTorch.
"""
import argparse
import os
import socket
import struct
import sys
import threading
import time

import numpy

import treadle_worker

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


def obey(job):
    """A server keeps no checkpoint: whatever is asked of it, worker 0 does."""
    while True:
        if job.should_checkpoint():
            job.checkpointed()
        time.sleep(0.25)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--momentum", type=float, default=0.9)
    args = parser.parse_args()

    own = os.environ["TREADLE_SERVERS"].split(",")[int(os.environ["ROLE_RANK"])]
    workers = len(os.environ["TREADLE_WORKERS"].split(","))
    with treadle_worker.Job() as job:
        threading.Thread(target=obey, args=(job,), daemon=True).start()
        Server(workers, args.rate, args.momentum).serve(int(own.rsplit(":", 1)[1]))


if __name__ == "__main__":
    main()
