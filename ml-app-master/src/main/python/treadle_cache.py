# SPDX-License-Identifier: Apache-2.0
"""Keeps a fixed part of a training job's dataset in the container's memory, and the rest of its reads within the storage
bandwidth that the container was given. Standard library only.

    import treadle_cache, treadle_worker
    with treadle_worker.Job() as job:
        data = treadle_cache.Dataset("/data/train", job, working_memory_mib=2048)
        for sample in data.epoch():
            ...

`data[i]` is the content of a sample, so that a PyTorch DataLoader can take `data` as it is; its processes share one cache.
What is in the cache stays there: an epoch finds the same part of the dataset in memory whatever order it reads in, where a
cache that evicts the least recently used would find next to nothing.
"""
import array
import bisect
import contextlib
import fcntl
import mmap
import os
import random
import struct
import sys
import tempfile
import threading
import time

_MIB = 1 << 20
_LOOK_SECONDS = 0.5
_REPORT_SECONDS = 1.0
_PIECE = 256 * 1024  # Bytes read for one withdrawal from the bucket, so that a long read follows a new rate.
_BURST_SECONDS = 0.1  # Time not used for reading is saved up to this much.


class Dataset:
    """Samples of a dataset: files, or pieces of files. Of several workers each has a part of its own, of the same length.

    source            a directory (all files below it but hidden ones), a file, or a list of files or of (file, offset,
                      length)
    job               a treadle_worker.Job: says how much memory and bandwidth there is, and reports
    record_bytes      cuts files into samples of this length; without it each file is one sample
    working_memory_mib what the container needs beside the cache, the worker's runner included (about 100)
    memory_mib        for use without a job: the memory to keep to
    shard             False: every worker reads the whole dataset

    Raises OSError where the source is not there or cannot be read, ValueError where it holds no sample for this worker.
    """

    def __init__(self, source, job=None, record_bytes=None, working_memory_mib=1024, memory_mib=None, shard=True):
        if record_bytes is not None and record_bytes < 1:
            raise ValueError(f"record_bytes is {record_bytes}, must be 1 or more")
        if working_memory_mib < 0:
            raise ValueError(f"working_memory_mib is {working_memory_mib}, must be 0 or more")
        self._source = source
        self._job = job
        self._record_bytes = record_bytes
        named = isinstance(source, (str, os.PathLike))
        self._whole_files = record_bytes is None and (named or not any(isinstance(item, tuple) for item in source))
        self._working_mib = int(working_memory_mib)
        self._memory_mib = memory_mib
        self._part, self._parts = (job.rank, job.world_size) if job is not None and shard else (0, 1)
        self._samples = []  # (file, offset, length) of all workers; only ever appended to.
        self._position = array.array("q")  # Place of my n-th sample in the order of the cache.
        self._start = array.array("q", [0])  # Where the sample at a place begins in the cache; its end is the next one.
        self._random = random.Random(20260101)  # The same part of the dataset is kept after every start.
        self._shared = _Shared()
        self._looked = None
        self._said = set()
        self._reported = None
        self._append(_scan(source, record_bytes))
        if len(self) == 0:
            raise ValueError(
                f"dataset {_name(source)} has {len(self._samples)} samples for {self._parts} workers, must have at least one"
                " for each."
            )
        self._tend()
        if job is not None:
            job.add_report(self._report)

    def __len__(self):
        return len(self._position)

    def __getitem__(self, index):
        """The content of a sample. Raises OSError that names the file where it cannot be read."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"sample {index} of {len(self)}")
        index %= len(self)
        self._tend()
        place = self._position[index]
        begun = time.thread_time()
        content = self._shared.load(place, self._start[place], self._start[place + 1])
        if content is not None:
            self._shared.count_hit(len(content), time.thread_time() - begun)
            return content
        file, offset, length = self._samples[self._part + index * self._parts]
        content = self._read(file, offset, length)
        if len(content) == length:
            self._shared.store(place, self._start[place], content)
        return content

    def epoch(self, seed=None):
        """The content of all samples of this worker, in random order. A dataset that has grown is read as it is now."""
        for index in self.order(seed):
            yield self[index]

    def order(self, seed=None):
        """The samples of this worker as epoch() goes through them."""
        self.refresh()
        order = list(range(len(self)))
        random.Random(seed).shuffle(order)
        return order

    def refresh(self):
        """Looks for samples that are new, as epoch() does; of use at the start of an epoch, in the process that made this
        object. Returns how many of this worker's there are."""
        known = {sample[:2] for sample in self._samples}
        new = [sample for sample in _scan(self._source, self._record_bytes) if sample[:2] not in known]
        if new:
            self._append(new)
            self._look()
            _say(f"dataset {_name(self._source)} grew by {len(new)} samples to {len(self._samples)}: they are used from now on")
        return len(new)

    @property
    def cached_bytes(self):
        """What the cache holds now."""
        return self._shared.get("cached")

    def _append(self, samples):
        """Samples that come later are kept in memory after those that were there before."""
        self._samples.extend(samples)
        first, end = len(self), len(self._samples) // self._parts
        order = list(range(first, end))
        self._random.shuffle(order)
        self._position.extend([0] * len(order))
        for index in order:
            self._position[index] = len(self._start) - 1
            self._start.append(self._start[-1] + self._samples[self._part + index * self._parts][2])

    def _tend(self):
        """Follows the container's size; cheap when done often."""
        now = time.monotonic()
        if self._looked is None or now - self._looked >= _LOOK_SECONDS:
            self._look()

    def _look(self):
        self._looked = time.monotonic()
        sizes = (self._job.resources() if self._job is not None else None) or {}
        wish, limit = getattr(self._job, "memory_limit", lambda: (0, 0))()
        memory = _number(sizes.get("memoryMiB"), self._memory_mib or 0)
        if limit and memory:
            memory = min(memory, limit)
        room = max(0, memory - self._working_mib) * _MIB
        if memory and not room:
            self._say_once(
                "small",
                f"the container's memory of {memory:g} MiB leaves no room for a cache beside the working memory of"
                f" {self._working_mib} MiB: every sample is read from storage",
            )
        places = bisect.bisect_right(self._start, room) - 1
        self._shared.resize((sizes.get("version"), wish), places, self._start, _number(sizes.get("storageMBps"), 0) * 1e6)

    def _read(self, file, offset, length):
        pieces, left = [], length
        try:
            with open(file, "rb", buffering=0) as opened:
                opened.seek(offset)
                if self._whole_files:
                    left = os.fstat(opened.fileno()).st_size
                while left > 0:
                    self._shared.withdraw(min(_PIECE, left), self._tend)
                    begun = time.monotonic()
                    piece = opened.read(min(_PIECE, left))
                    self._shared.count_missed_piece(len(piece), begun)
                    if not piece:
                        break
                    pieces.append(piece)
                    left -= len(piece)
                if hasattr(os, "posix_fadvise"):  # A second copy in the node's page cache would be of no use.
                    os.posix_fadvise(opened.fileno(), offset, length, os.POSIX_FADV_DONTNEED)
        except OSError as e:
            raise OSError(e.errno, f"sample {file} (from byte {offset}, {length} bytes) cannot be read: {e.strerror}") from e
        self._shared.count_miss()
        content = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        if len(content) != length:
            self._say_once(
                file,
                f"{file} had {length} bytes from byte {offset} on, and now has {len(content)}: it is read as it is, and not kept",
            )
        return content

    def _report(self):
        """Fields for a progress line; none where the last ones are new."""
        now = time.monotonic()
        if self._reported is not None and now - self._reported[0] < _REPORT_SECONDS:
            return {}
        self._look()
        shared = self._shared.counters()
        data = {
            "bytes": self._start[-1],
            "samples": len(self),
            "cachedBytes": shared["cached"],
            "workingMemoryMiB": self._working_mib,
        }
        if shared["wish"]:
            data["memoryVersion"] = shared["wish"]
        for name, kind in (("memoryMBps", "hit"), ("diskMBps", "missed")):
            if shared[kind + "_seconds"] > 0:
                data[name] = round(shared[kind + "_bytes"] / shared[kind + "_seconds"] / 1e6, 3)
        if self._reported is not None:
            before, then = self._reported[1], self._reported[0]
            hits, reads = shared["hits"] - before["hits"], shared["misses"] - before["misses"]
            if hits + reads > 0:
                read = sum(shared[key] - before[key] for key in ("hit_bytes", "missed_bytes"))
                data["hitRate"] = round(hits / (hits + reads), 4)
                data["readMBps"] = round(read / (now - then) / 1e6, 3)
        self._reported = (now, shared)
        return {"data": data}

    def _say_once(self, key, text):
        if key not in self._said:
            self._said.add(key)
            _say(text)


class _Shared:
    """What the processes of a worker have in common. The memory belongs to no name in any file system: it is gone with the
    last process, however that ends."""

    _FIELDS = (
        "version wish known generation next_ns rate places cached hits misses hit_bytes missed_bytes hit_seconds missed_seconds"
        " missed_end"
    ).split()
    _DOUBLES = {"rate", "hit_seconds", "missed_seconds", "missed_end"}

    def __init__(self, files=None):
        self._content, self._present, self._state = files or (_memory("content"), _memory("present"), _memory("state"))
        if files is None:
            os.ftruncate(self._state, mmap.PAGESIZE)
        self._page = mmap.mmap(self._state, mmap.PAGESIZE)
        self._process, self._lock = os.getpid(), threading.Lock()
        if files is None:
            self.set("generation", 1)
            self.set("version", -1)

    def __getstate__(self):
        return [f"/proc/{os.getpid()}/fd/{file}" for file in (self._content, self._present, self._state)]

    def __setstate__(self, paths):
        self.__init__([os.open(path, os.O_RDWR) for path in paths])

    def get(self, field):
        return struct.unpack_from("<d" if field in self._DOUBLES else "<q", self._page, 8 * self._FIELDS.index(field))[0]

    def set(self, field, value):
        struct.pack_into("<d" if field in self._DOUBLES else "<q", self._page, 8 * self._FIELDS.index(field), value)

    def add(self, field, value):
        self.set(field, self.get(field) + value)

    def counters(self):
        with self._locked():
            return {field: self.get(field) for field in self._FIELDS}

    @contextlib.contextmanager
    def _locked(self):
        if self._process != os.getpid():  # A thread that held the lock when this process was forked is not here.
            self._process, self._lock = os.getpid(), threading.Lock()
        with self._lock:  # File locks are of processes, not of threads.
            fcntl.lockf(self._state, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self._state, fcntl.LOCK_UN)

    def resize(self, versions, places, start, rate):
        """Keeps the first `places` samples. A process that knows an older resources.json, an older wish for memory or fewer
        samples than another changes nothing."""
        with self._locked():
            version, wish = int(_number(versions[0], self.get("version"))), int(_number(versions[1], self.get("wish")))
            if version < self.get("version") or wish < self.get("wish") or len(start) < self.get("known"):
                return
            self.set("version", version)
            self.set("wish", wish)
            self.set("known", len(start))
            self.set("next_ns", _at_new_rate(self.get("next_ns"), self.get("rate"), rate))
            self.set("rate", rate)
            if places < self.get("places"):
                self._drop(places, start)
            self.set("places", places)

    def _drop(self, places, start):
        """Marks first, so that no reader takes what is cut off for content; a place that is filled again gets another mark."""
        marks = os.pread(self._present, self.get("places") - places, places)
        self.add("cached", -sum(start[places + i + 1] - start[places + i] for i, mark in enumerate(marks) if mark))
        os.ftruncate(self._present, min(places, os.fstat(self._present).st_size))
        os.ftruncate(self._content, min(start[places], os.fstat(self._content).st_size))
        self.set("generation", self.get("generation") % 255 + 1)

    def load(self, place, begin, end):
        """The content at a place, or None."""
        mark = os.pread(self._present, 1, place)
        if mark in (b"", b"\0"):
            return None
        pieces, at = [], begin
        while at < end:
            piece = os.pread(self._content, end - at, at)
            if not piece:
                return None
            pieces.append(piece)
            at += len(piece)
        if os.pread(self._present, 1, place) != mark:
            return None
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def store(self, place, begin, content):
        with self._locked():
            if place >= self.get("places") or os.pread(self._present, 1, place) not in (b"", b"\0"):
                return
            try:
                view, done = memoryview(content), 0
                while done < len(content):
                    done += os.pwrite(self._content, view[done:], begin + done)
                os.pwrite(self._present, bytes([self.get("generation")]), place)
            except OSError as e:  # No memory is left: what is there stays, and the sample has been read anyway.
                _say(f"a sample does not fit in memory: {e}")
                self.set("places", place)
                return
            self.add("cached", len(content))

    def withdraw(self, count, tend):
        """Waits until this many bytes may be read."""
        with self._locked():
            rate = self.get("rate")
            if rate <= 0:
                return
            now = time.monotonic_ns()
            due = max(self.get("next_ns"), now - int(_BURST_SECONDS * 1e9)) + int(count / rate * 1e9)
            self.set("next_ns", due)
        while True:
            left = due - time.monotonic_ns()
            if left <= 0:
                return
            time.sleep(min(left / 1e9, _LOOK_SECONDS))
            tend()
            due, rate = _at_new_rate(due, rate, self.get("rate")), self.get("rate")

    def count_hit(self, count, cpu_seconds):
        """Copying takes CPU time alone. The time of the clock would count waiting for a core, too: a container that is held
        to few vcores would seem to have slow memory."""
        with self._locked():
            self.add("hits", 1)
            self.add("hit_bytes", count)
            self.add("hit_seconds", cpu_seconds)

    def count_miss(self):
        with self._locked():
            self.add("misses", 1)

    def count_missed_piece(self, count, begun):
        """Time in which several read at once counts once, so that bytes over seconds are what all get together."""
        with self._locked():
            now, last = time.monotonic(), self.get("missed_end")
            self.add("missed_bytes", count)
            self.add("missed_seconds", now - max(begun, last) if now > last else 0.0)
            self.set("missed_end", now)


def _at_new_rate(due, old, new):
    """When what was to be waited for at the old rate has been waited for at the new one; ns, bytes/s, 0 for no limit."""
    if new == old:
        return due
    now = time.monotonic_ns()
    return now + int(max(0, due - now) * old / new) if new > 0 else now


def _memory(name):
    if hasattr(os, "memfd_create"):
        return os.memfd_create("treadle-cache-" + name)
    with tempfile.TemporaryFile() as file:  # Where there is no Linux, for trying a script out.
        return os.dup(file.fileno())


def _scan(source, record_bytes):
    """All samples: (file, offset, length), in the order of their names."""
    if not isinstance(source, (str, os.PathLike)):
        found = [item if isinstance(item, tuple) else (os.fspath(item), 0, _length(item)) for item in source]
    elif os.path.isdir(source):
        found = [(path, 0, _length(path)) for path in _files(source)]
    else:
        found = [(os.fspath(source), 0, _length(source))]
    if record_bytes is None:
        return found
    return [
        (path, offset + at, record_bytes)
        for path, offset, length in found
        for at in range(0, length - record_bytes + 1, record_bytes)
    ]


def _files(directory):
    for folder, folders, names in os.walk(directory, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and not name.endswith(".tmp"):
                yield os.path.join(folder, name)


def _length(path):
    try:
        return os.stat(path).st_size
    except OSError as e:
        raise OSError(
            e.errno,
            f"dataset {path} cannot be read on {os.uname().nodename}: {e.strerror}.\nMaybe it is not mounted on this node.",
        ) from e


def _raise(error):
    raise error


def _number(value, otherwise):
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 else otherwise


def _name(source):
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else f"of {len(source)} files"


def _say(text):
    print("treadle_cache: " + text, file=sys.stderr, flush=True)
