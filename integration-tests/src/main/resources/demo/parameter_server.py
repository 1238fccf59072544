# SPDX-License-Identifier: Apache-2.0
"""A parameter server: its part of each layer of the workers of digits_ps.py.

It adds up the gradients of all workers, takes a step, and gives the new parameters back. Workers may come and go between two
steps: the first server agrees with all of them who trains the next one. How many servers there are it is told by
TREADLE_SERVERS; it needs no PyTorch.
"""
import argparse
import json
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
GRADIENT, PARAMETERS, INIT, AGREE, STATE, DONE = b"g", b"p", b"i", b"a", b"s", b"d"
#: Of who wants to join: its rank. Of who trains already: where it is, for those who join.
JOIN = b"j"
#: Before each gradient: of how many workers there will be one.
OF = struct.Struct("!i")
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


class Meeting:
    """Who trains the next step: the workers of the last one, but for those that stop, and those that have come."""

    def __init__(self):
        self._flags = {}  # by rank: its connection, and what it says of itself
        self._waiting = {}  # by rank, those that want to join
        self._joining = []
        self._ending = False

    def come(self, rank, worker, others):
        self._waiting[rank] = worker
        if self._ending:
            self.end(others)

    def agree(self, worker, step, flags):
        """Workers see a command a moment apart, and keep a checkpoint at the same step: by the least number of all."""
        self._flags[flags["rank"]] = worker, flags
        if len(self._flags) < flags["of"]:
            return
        stay = [rank for rank, (_, said) in self._flags.items() if not said["stop"]]
        come = sorted(self._waiting) if stay else []
        self._joining = [self._waiting.pop(rank) for rank in come]
        answer = {"wanted": min(said["wanted"] for _, said in self._flags.values()),
                  "ranks": sorted(stay + come), "come": come}
        for one, _ in self._flags.values():
            one.send(AGREE, step, json.dumps(answer).encode())
        self._flags = {}

    def bring(self, step, state):
        """Tells those who join where the others are."""
        for worker in self._joining:
            worker.send(JOIN, step, state)
        self._joining = []

    def end(self, others):
        """Somebody is done. Where nobody but those who wait is left of these it is too late for them."""
        self._ending = True
        if not others - set(self._waiting.values()):
            for worker in self._waiting.values():
                worker.send(DONE, 0)
            self._waiting = {}


class Server:
    """Holds its part of each layer, and takes a step when all workers' gradients of the layer are there."""

    def __init__(self, workers, rate, momentum):
        self._workers, self._rate, self._momentum = workers, rate, momentum
        self._parameters, self._velocity = [], []
        self._sums, self._senders = {}, {}
        self._meeting = Meeting()
        self._came, self._open = 0, set()
        self._changed = threading.Condition()

    def serve(self, port):
        """Until all workers have said that they are done."""
        threading.Thread(target=self._accept, args=(socket.create_server(("", port)),), daemon=True).start()
        with self._changed:
            if not self._changed.wait_for(lambda: self._came >= self._workers, CONNECT_SECONDS):
                sys.exit(f"{self._came} of {self._workers} workers have come in {CONNECT_SECONDS} s")
            self._changed.wait_for(lambda: not self._open)

    def _accept(self, listening):
        while True:
            worker = Connection(listening.accept()[0])
            with self._changed:
                self._came += 1
                self._open.add(worker)
                self._changed.notify_all()
            threading.Thread(target=self._follow, args=(worker,), daemon=True).start()

    def _follow(self, worker):
        try:
            while True:
                kind, number, content = worker.receive()
                with self._changed:
                    if kind == DONE:
                        self._open.discard(worker)
                        self._meeting.end(self._open)
                        self._changed.notify_all()
                        return
                    self._take(worker, kind, number, content)
        except (EOFError, OSError) as gone:
            print(f"a worker is gone: {gone}", file=sys.stderr, flush=True)
            os._exit(1)  # The others wait for it: the job starts anew from its checkpoint.

    def _take(self, worker, kind, number, content):
        if kind == INIT:
            both = numpy.frombuffer(content, dtype=numpy.float32).copy()
            self._parameters.append(both[: len(both) // 2])
            self._velocity.append(both[len(both) // 2 :])
        elif kind == PARAMETERS:
            worker.send(PARAMETERS, number, self._parameters[number].tobytes())
        elif kind == STATE:
            worker.send(STATE, number, self._velocity[number].tobytes())
        elif kind == AGREE:
            self._meeting.agree(worker, number, json.loads(content))
        elif kind == JOIN and content:
            self._meeting.bring(number, content)
        elif kind == JOIN:
            self._meeting.come(number, worker, self._open)
        else:
            self._add(worker, number, OF.unpack_from(content)[0], numpy.frombuffer(content, numpy.float32, offset=OF.size))

    def _add(self, worker, layer, of, gradient):
        self._sums[layer] = self._sums.get(layer, 0) + gradient
        senders = self._senders.setdefault(layer, [])
        senders.append(worker)
        if len(senders) == of:
            velocity = self._velocity[layer]
            velocity *= self._momentum
            velocity += self._sums.pop(layer)
            self._parameters[layer] -= self._rate * velocity
            for one in self._senders.pop(layer):
                one.send(PARAMETERS, layer, self._parameters[layer].tobytes())


def obey(job):
    """A server keeps no checkpoint: whatever is asked of it, the first worker does."""
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
