# SPDX-License-Identifier: Apache-2.0
"""Asks a service that Treadle runs, by the Open Inference Protocol over HTTP. Standard library only; arrays of NumPy, and
what is like them, can be asked with.

    import treadle_query
    with treadle_query.Service("http://node7:40123", secret) as service:
        answer = service.infer("recognise", image=[[0.5, 1, 2]], deadline_ms=500)
        answer["digit"]                                                        # [4]

A query changes nothing in the service: one that was lost on its way is asked again, as is one that the service sends away
for a moment because it is too busy or without workers. All of it stays within the query's deadline. Where the service's
workers answer, too (mode: peer), queries go to any of them.
"""
import collections
import contextlib
import http.client
import json
import math
import random
import socket
import ssl
import threading
import time
import urllib.parse

_DEADLINE_MS = 30000
_LONGEST_DEADLINE_MS = 60000
_MOST_BYTES = 16 << 20  # Of a query, as docs/spec/query-http.md has it.
_GRACE_SECONDS = 2.0  # The service's own word that the deadline has passed says more than silence does.
_CONNECT_SECONDS = 5.0
_SOON_SECONDS = 0.5  # Until somebody is asked again who did not answer at all.
_MOST_IDLE = 16  # Connections to an address that are kept for the next query.
_FIND_SECONDS = 2.0  # For the question who answers,
_FIND_PART = 0.2  # and never more than this of what a query has left.
_LOOK_SECONDS = 10.0  # Between two questions who answers.
_SHOWN = 300

# Kinds of NumPy's dtypes that can stand for a datatype.
_KINDS = {"BOOL": "b", "FP32": "fiu", "FP64": "fiu", "UINT8": "iu", "INT8": "iu", "INT32": "iu", "INT64": "iu"}


class QueryError(Exception):
    """There is no answer.

    status   of HTTP; 0 where the service said nothing
    message  what is wrong, in the service's own words where it said something
    """

    def __init__(self, status, message):
        super().__init__(f"{message} ({status})" if status else message)
        self.status = status
        self.message = message


class Refused(QueryError):
    """The same query will not be answered: it is wrong (400, 404, 413), the secret is (401), or a model failed (500)."""


class TooBusy(QueryError):
    """The service is answering as many queries as it can (429), and was until the deadline."""


class Unavailable(QueryError):
    """No worker is there (503), or nobody answers at the address (0), and it was so until the deadline."""


class Late(QueryError):
    """The deadline has passed (504, or 0 where the service did not even say so)."""


class _Address(collections.namedtuple("_Address", "https host port path")):
    """Where queries are answered."""

    def __str__(self):
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port is None else f":{self.port}"
        return f"{'https' if self.https else 'http'}://{host}{port}{self.path}"

    @classmethod
    def of(cls, url):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
            raise ValueError(f"the service's address is {url!r}, must be one such as http://node7:40123")
        return cls(parts.scheme == "https", parts.hostname, parts.port, parts.path.rstrip("/"))


class _Again(Exception):
    """Why it is worth asking again, and in how many seconds; None: at once, by a new connection or elsewhere."""

    def __init__(self, error, seconds, kept=False):
        super().__init__(error)
        self.error = error
        self.seconds = seconds
        self.kept = kept  # Whether it was on a connection that had been used before.


class Service:
    """A service at an address. May be used by any number of threads at a time; connections are kept for the next query.

    url      http://HOST:PORT, also with a path in front of /v2 where a gateway has one
    secret   of one of the service's users
    retry    False: a query is asked once
    spread   False: the address alone is asked, also where the service's workers answer, too. So it is where the address has a
             path or https: then something stands before the service that is not to be gone around
    clock    has monotonic() and sleep(), in seconds

    Raises ValueError where the address or the secret cannot be one.
    """

    def __init__(self, url, secret, *, retry=True, spread=True, clock=time):
        self._given = _Address.of(url)
        if not secret or not all("!" <= character <= "~" for character in secret):
            raise ValueError("the service's secret must be of printable ASCII characters without spaces")
        self._spread = spread and not self._given.https and not self._given.path
        self._headers = {"Authorization": f"Bearer {secret}", "Accept": "application/json"}
        self._retry = retry
        self._clock = clock
        self._lock = threading.Lock()
        self._idle = {}  # Connections by address.
        self._workers = []  # Addresses of workers that answer.
        self._look = -math.inf  # When to ask next who they are.
        self._models = {}

    def __repr__(self):
        return f"Service({str(self._given)!r})"  # Without the secret.

    def infer(self, workflow, inputs=None, /, *, deadline_ms=_DEADLINE_MS, outputs=None, **named):
        """Asks a workflow.

        inputs       by name: numbers, nested lists of them, or arrays; in a dict, or as keywords where their names allow it
        deadline_ms  how long the answer may take, ms, above 0 and at most 60000; all attempts, what is between them, and
                     the first time the question what the workflow takes, are within it
        outputs      names of those that are wanted; all of them where it is None

        Returns a dict of the outputs by name: a list of the output's first dimension, of lists of the second and so on; a
        single number for the shape []. Numbers that are not finite are None.

        Raises Refused, TooBusy, Unavailable or Late; ValueError where an input is missing, ragged, or of another type or
        shape than the workflow takes, and nothing is asked then.
        """
        if not 0 < deadline_ms <= _LONGEST_DEADLINE_MS:
            raise ValueError(f"deadline_ms is {deadline_ms}, must be above 0 and at most {_LONGEST_DEADLINE_MS}")
        end = self._clock.monotonic() + deadline_ms / 1000
        given = {**(inputs or {}), **named}
        model = self._model(workflow, end)
        unknown = sorted(set(given) - set(model))
        missing = [name for name in model if name not in given]
        if unknown or missing:
            raise ValueError(
                f"{workflow!r} is given the inputs {sorted(given)}, must be given "
                + ", ".join(f"{name} {_text(*spec)}" for name, spec in model.items())
            )
        query = {"inputs": [_tensor(name, *spec, given[name]) for name, spec in model.items()]}
        if outputs is not None:
            query["outputs"] = [{"name": name} for name in outputs]
        try:
            body = json.dumps(query, separators=(",", ":"), allow_nan=False).encode()
        except ValueError:
            raise ValueError(f"the inputs of {workflow!r} hold a number that is not finite, which JSON has none for") from None
        if len(body) > _MOST_BYTES:
            raise ValueError(f"the query has {len(body)} bytes, must have at most {_MOST_BYTES}: ask with fewer samples")
        try:
            answer = self._ask(_page(workflow) + "/infer", body, end)
        except Refused:
            # The service may have been started again with another workflow of this name.
            self._models.pop(workflow, None)
            raise
        return {output["name"]: _nested(output) for output in answer["outputs"]}

    def inputs(self, workflow):
        """What a workflow takes: a dict of (datatype, shape) by name; a length of -1 in a shape may be any.

        Raises as infer() does.
        """
        return dict(self._model(workflow, self._clock.monotonic() + _DEADLINE_MS / 1000))

    def close(self):
        """Closes the connections that wait for a next query. The service can be asked again all the same."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for connections in idle.values():
            for connection in connections:
                connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _model(self, workflow, end):
        # Two threads may both ask: it costs a request, and each is told the same.
        model = self._models.get(workflow)
        if model is None:
            answer = self._ask(_page(workflow), None, end)
            model = {each["name"]: (each["datatype"], each["shape"]) for each in answer["inputs"]}
            self._models[workflow] = model
        return model

    def _ask(self, page, body, end):
        """The answer, a dict that has what `page` promises."""
        busy = set()
        while True:
            address = self._next(end, busy)
            try:
                status, headers, content = self._send(address, page, body, end)
                return self._answer(status, headers, content, "outputs" if body is not None else "inputs")
            except Late as late:
                if late.status == 0:
                    self._drop(address)  # The next query need not find out the same.
                raise
            except _Again as again:
                if self._retry and not again.kept and self._elsewhere(address, again.error, busy):
                    continue
                if again.seconds is None:
                    continue
                # Many who were sent away together shall not come back together.
                seconds = again.seconds * random.uniform(1, 1.25)
                if not self._retry or self._clock.monotonic() + seconds >= end:
                    raise again.error from again.error.__cause__
                self._clock.sleep(seconds)
                busy.clear()

    def _elsewhere(self, address, error, busy):
        """Whether somebody else is to be asked at once."""
        if isinstance(error, Unavailable):
            return self._drop(address)
        busy.add(address)
        with self._lock:
            return any(worker not in busy for worker in self._workers)

    def _next(self, end, busy):
        """Whom to ask."""
        with self._lock:
            now = self._clock.monotonic()
            is_due = self._spread and now >= self._look
            if is_due:
                self._look = now + _LOOK_SECONDS  # One of several threads is enough.
            known = list(self._workers)
        if is_due:
            known = self._find(known, end)
        return random.choice([worker for worker in known if worker not in busy] or known or [self._given])

    def _find(self, known, end):
        """Asks who answers, a worker first: the address given may be that of a master that is away. Takes a part of the time
        that the query has, as it may also be asked without."""
        now = self._clock.monotonic()
        end = min(now + _FIND_SECONDS, now + _FIND_PART * (end - now))
        for address in random.sample(known, min(len(known), 2)) + [self._given]:
            try:
                status, _, content = self._send(address, "/v2", None, end, 0)
                workers = [_Address.of(url) for url in json.loads(content).get("ingresses", [])] if status == 200 else []
            except (QueryError, _Again, ValueError, AttributeError, TypeError):
                continue
            if workers:  # A master that has just come knows of none yet.
                self._use(workers)
                return workers
        return known

    def _use(self, workers):
        with self._lock:
            self._workers = list(workers)
            gone = [address for address in self._idle if address != self._given and address not in workers]
            idle = [connection for address in gone for connection in self._idle.pop(address)]
        for connection in idle:
            connection.close()

    def _drop(self, address):
        """Forgets a worker that does not answer. Returns whether it was one; then somebody else can be asked."""
        with self._lock:
            if address not in self._workers:
                return False
            left = [worker for worker in self._workers if worker != address]
        self._use(left)
        return True

    def _send(self, address, page, body, end, grace=_GRACE_SECONDS):
        left = end - self._clock.monotonic()
        if left <= 0:
            raise Late(0, "the deadline has passed before the query could be asked")
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
            headers["X-Deadline-Ms"] = f"{max(0.001, left * 1000):.3f}"
        connection, kept = self._connection(address)
        connected = kept
        try:
            if not kept:
                connection.timeout = min(_CONNECT_SECONDS, left)
                connection.connect()
                connected = True
            connection.sock.settimeout(left + grace)
            connection.request("GET" if body is None else "POST", address.path + page, body, headers)
            response = connection.getresponse()
            content = response.read()
        except socket.timeout as e:
            connection.close()
            if connected:
                raise Late(0, f"the service at {address} says nothing") from e
            raise _Again(_lost(address, e), _SOON_SECONDS) from e
        except (socket.gaierror, ssl.SSLError) as e:
            # Neither a name nor a certificate is another one in half a second; but nodes' names need not be known here.
            connection.close()
            if address != self._given:
                raise _Again(_lost(address, e), _SOON_SECONDS) from e
            raise _lost(address, e) from e
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            # Services close connections that nobody has used for a while, and the next query is the first to see it.
            raise _Again(_lost(address, e), None if kept else _SOON_SECONDS, kept) from e
        except BaseException:
            connection.close()
            raise
        self._keep(address, connection, response)
        return response.status, response.headers, content

    def _connection(self, address):
        """A connection, and whether it was used before."""
        with self._lock:
            if self._idle.get(address):
                return self._idle[address].pop(), True
        kind = http.client.HTTPSConnection if address.https else http.client.HTTPConnection
        return kind(address.host, address.port), False

    def _keep(self, address, connection, response):
        with self._lock:
            idle = self._idle.setdefault(address, [])
            if not response.will_close and len(idle) < _MOST_IDLE:
                idle.append(connection)
                return
        connection.close()

    def _answer(self, status, headers, content, promised):
        answer = None
        with contextlib.suppress(ValueError):
            answer = json.loads(content)
        if status == 200:
            if isinstance(answer, dict) and isinstance(answer.get(promised), list):
                return answer
            raise Refused(status, f"the answer is {_shown(content)}, must be a JSON object with {promised!r}")
        said = answer.get("error") if isinstance(answer, dict) else None
        message = said if isinstance(said, str) else _shown(content)
        kinds = {429: TooBusy, 503: Unavailable, 504: Late}
        error = kinds.get(status, Refused)(status, message)
        after = headers.get("Retry-After", "")
        if status in (429, 503) and after.isascii() and after.isdigit():
            raise _Again(error, max(_SOON_SECONDS, int(after)))
        raise error


def _lost(address, cause):
    error = Unavailable(0, f"nobody answers at {address}: {cause}")
    error.__cause__ = cause
    return error


def _page(workflow):
    return "/v2/models/" + urllib.parse.quote(workflow, safe="")


def _shown(content):
    text = content.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _text(datatype, shape):
    return datatype + "[" + ", ".join("any" if length == -1 else str(length) for length in shape) + "]"


def _tensor(name, datatype, expected, value):
    """An input as the protocol has it. Data of arrays stay nested, which the service takes too: looking at each number here
    would take longer than sending it."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind is not None and kind not in _KINDS.get(datatype, kind):
        raise ValueError(f"input {name!r} is of {value.dtype}, must be {_text(datatype, expected)}")
    if kind is not None and kind in _KINDS.get(datatype, ""):
        shape, data = [int(length) for length in value.shape], value.tolist()
        if not shape:
            data = [data]
    else:
        value = _plain(value)
        shape, data = _shape(value), []
        _flatten(name, value, shape, 0, name, data)
        _check_numbers(name, datatype, expected, data)
    if len(shape) != len(expected) or any(want not in (-1, has) for want, has in zip(expected, shape)):
        raise ValueError(f"input {name!r} has the shape {shape}, must be {_text(datatype, expected)}")
    return {"name": name, "datatype": datatype, "shape": shape, "data": data}


def _plain(value):
    """Lists and numbers alone, where there may also be arrays and their numbers in lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _shape(value):
    shape = []
    while isinstance(value, list):
        shape.append(len(value))
        if not value:
            break
        value = value[0]
    return shape


def _flatten(name, value, shape, depth, at, flat):
    if depth == len(shape):
        if isinstance(value, list):
            raise ValueError(f"input {name!r} is ragged: {at} is a list of {len(value)}, must be a number as its neighbours")
        flat.append(value)
        return
    if not isinstance(value, list) or len(value) != shape[depth]:
        what = f"a list of {len(value)}" if isinstance(value, list) else repr(value)
        raise ValueError(f"input {name!r} is ragged: {at} is {what}, must be a list of {shape[depth]} as its neighbours")
    for index, each in enumerate(value):
        _flatten(name, each, shape, depth + 1, f"{at}[{index}]", flat)


def _check_numbers(name, datatype, expected, flat):
    if datatype == "BOOL":
        right = (bool,)
    elif datatype.startswith("FP"):
        right = (float, int)
    else:
        right = (int,)
    for value in flat:
        # True is an int to Python, not to the service.
        if type(value) not in right:
            raise ValueError(f"input {name!r} holds {value!r}, must hold {_text(datatype, expected)}")


def _nested(output):
    """The data of an output, flat or nested, as lists of its shape."""
    flat = output["data"]
    while flat and isinstance(flat[0], list):
        flat = [each for row in flat for each in row]
    return _rows(flat, output["shape"]) if output["shape"] else flat[0]


def _rows(flat, shape):
    if len(shape) == 1:
        return flat
    size = len(flat) // shape[0] if shape[0] else 0
    return [_rows(flat[size * row : size * (row + 1)], shape[1:]) for row in range(shape[0])]
