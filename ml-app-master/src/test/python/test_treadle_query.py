# SPDX-License-Identifier: Apache-2.0
"""Tests of treadle_query.py against a small server that speaks the protocol, run as those of treadle_worker.py are."""
import collections
import http.server
import json
import math
import socket
import threading
import unittest

import treadle_query

SECRET = "0123456789abcdef"
MODEL = {
    "name": "twice",
    "inputs": [
        {"name": "x", "datatype": "FP32", "shape": [-1, 2]},
        {"name": "mask", "datatype": "BOOL", "shape": [-1]},
        {"name": "n", "datatype": "INT64", "shape": []},
    ],
    "outputs": [{"name": "y"}],
}
ANSWER = {"outputs": [{"name": "y", "shape": [2, 2], "datatype": "FP32", "data": [1.5, 2, 3, None]}]}
GOOD = {"x": [[1, 2.5]], "mask": [True], "n": 3}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.server.connections.append(self.connection)

    def do_GET(self):
        if self.path == "/v2":
            self._respond(*self.server.who)
        else:
            self._respond(200, MODEL)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, float(self.headers["X-Deadline-Ms"]), json.loads(body)))
        self._respond(*(self.server.answers.popleft() if self.server.answers else (200, ANSWER)))

    def _respond(self, status, answer, after=None):
        if self.headers["Authorization"] != "Bearer " + SECRET:
            status, answer = 401, {"error": "the secret is wrong"}
        self.server.requests.append(self.path)
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if after is not None:
            self.send_header("Retry-After", after)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.asked, self.requests, self.connections, self.answers = [], [], [], collections.deque()
        self.who = 200, {"name": "digits", "ingresses": []}
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # Clients go as they please.

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def drop(self):
        """As a server does with connections that nobody has used for a while."""
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It is closed already.

    def end(self):
        self.shutdown()
        self.drop()
        self.server_close()


class Clock:
    """Time passes where somebody sleeps."""

    def __init__(self):
        self.now = 1000.0
        self.sleeps = []
        self.on_sleep = lambda: None

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.sleeps.append(seconds)
        self.now += seconds
        self.on_sleep()


class Array:
    """What NumPy's arrays are to this module."""

    def __init__(self, kind, shape, data):
        self.dtype = collections.namedtuple("Type", "kind")(kind)
        self.shape = shape
        self.tolist = lambda: data


class QueryTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.end)
        self.clock = Clock()
        self.service = self.connect()

    def connect(self, url=None, secret=SECRET, **options):
        service = treadle_query.Service(url or self.server.url, secret, clock=self.clock, **options)
        self.addCleanup(service.close)
        return service

    def test_outputs_have_their_shapes(self):
        self.assertEqual({"y": [[1.5, 2], [3, None]]}, self.service.infer("twice", **GOOD))
        path, deadline, query = self.server.asked[0]
        self.assertEqual(("/v2/models/twice/infer", 30000), (path, deadline))
        self.assertEqual(
            {
                "inputs": [
                    {"name": "x", "datatype": "FP32", "shape": [1, 2], "data": [1, 2.5]},
                    {"name": "mask", "datatype": "BOOL", "shape": [1], "data": [True]},
                    {"name": "n", "datatype": "INT64", "shape": [], "data": [3]},
                ]
            },
            query,
        )
        for shape, data, nested in (
            ([], [7], 7),
            ([3], [1, 2, 3], [1, 2, 3]),
            ([2, 1, 2], [1, 2, 3, 4], [[[1, 2]], [[3, 4]]]),
            ([2, 2], [[1, 2], [3, 4]], [[1, 2], [3, 4]]),
            ([0, 3], [], []),
            ([2, 0], [], [[], []]),
        ):
            output = {"name": "z", "shape": shape, "datatype": "INT64", "data": data}
            self.server.answers.append((200, {"outputs": [output]}))
            self.assertEqual({"z": nested}, self.service.infer("twice", GOOD))

    def test_names_of_inputs_need_not_be_those_of_python(self):
        self.service.infer("twice", {"x": [[1, 2]], "n": 1}, mask=(), deadline_ms=500.5, outputs=["y"])
        _, deadline, query = self.server.asked[0]
        self.assertEqual((500.5, [{"name": "y"}]), (deadline, query["outputs"]))
        self.assertEqual([0], query["inputs"][1]["shape"])

    def test_what_a_workflow_takes_is_asked_once_until_it_refuses(self):
        self.assertEqual({"x": ("FP32", [-1, 2]), "mask": ("BOOL", [-1]), "n": ("INT64", [])}, self.service.inputs("twice"))
        self.service.infer("twice", GOOD)
        self.service.infer("twice", GOOD)
        self.assertEqual(1, self.server.requests.count("/v2/models/twice"))
        self.server.answers.append((400, {"error": "inputs: 'x' is FP32, must be FP64"}))
        with self.assertRaisesRegex(treadle_query.Refused, r"^inputs: 'x' is FP32, must be FP64 \(400\)$"):
            self.service.infer("twice", GOOD)
        self.service.infer("twice", GOOD)
        self.assertEqual(2, self.server.requests.count("/v2/models/twice"))

    def test_arrays_go_as_they_are(self):
        self.service.infer("twice", x=Array("i", (1, 2), [[1, 2]]), mask=Array("b", (1,), [False]), n=Array("u", (), 5))
        sent = {each["name"]: (each["shape"], each["data"]) for each in self.server.asked[0][2]["inputs"]}
        self.assertEqual({"x": ([1, 2], [[1, 2]]), "mask": ([1], [False]), "n": ([], [5])}, sent)
        self.service.infer("twice", x=[Array("f", (2,), [1.0, 2.0])], mask=[], n=1)
        self.assertEqual([1.0, 2.0], self.server.asked[1][2]["inputs"][0]["data"])
        other = Array("", (1, 2), [[1.5, 2.5]])
        other.dtype = "torch.float32"
        self.service.infer("twice", x=other, mask=[], n=1)
        self.assertEqual([1.5, 2.5], self.server.asked[2][2]["inputs"][0]["data"])
        with self.assertRaisesRegex(ValueError, "input 'n' is of Type.kind='f'., must be INT64"):
            self.service.infer("twice", x=[[1, 2]], mask=[], n=Array("f", (), 5.0))

    def test_wrong_inputs_are_named_and_not_asked(self):
        for change, message in (
            ({"x": [[1, 2], [3]]}, r"'x' is ragged: x\[1\] is a list of 1, must be a list of 2"),
            ({"x": [[1, 2], 3]}, r"'x' is ragged: x\[1\] is 3, must be a list of 2"),
            ({"x": [[1, [2]]]}, r"'x' is ragged: x\[0\]\[1\] is a list of 1, must be a number"),
            ({"x": [1, 2]}, r"'x' has the shape \[2\], must be FP32\[any, 2\]"),
            ({"x": [[1, 2, 3]]}, r"'x' has the shape \[1, 3\], must be FP32\[any, 2\]"),
            ({"x": Array("f", (1, 3), [[1, 2, 3]])}, r"'x' has the shape \[1, 3\], must be FP32\[any, 2\]"),
            ({"x": [["1", 2]]}, r"'x' holds '1', must hold FP32\[any, 2\]"),
            ({"x": [[None, 2]]}, "'x' holds None"),
            ({"x": [[True, 2]]}, "'x' holds True"),
            ({"mask": [1]}, "'mask' holds 1, must hold BOOL"),
            ({"n": 1.0}, "'n' holds 1.0, must hold INT64"),
            ({"x": [[math.nan, 2]]}, "not finite"),
            ({"x": [[math.inf, 2]]}, "not finite"),
            ({"z": 1}, r"given the inputs \['mask', 'n', 'x', 'z'\], must be given x FP32\[any, 2\], mask BOOL\[any\], n"),
            ({"x": Array("f", (900000, 2), [[0.123456789, 0.123456789]] * 900000)}, "bytes, must have at most 16777216"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                self.service.infer("twice", {**GOOD, **change})
        with self.assertRaisesRegex(ValueError, "given the inputs .'x'., must be given"):
            self.service.infer("twice", x=[[1, 2]])
        for deadline in (0, -1, 60001, math.nan):
            with self.assertRaisesRegex(ValueError, "deadline_ms is .*, must be above 0 and at most 60000"):
                self.service.infer("twice", GOOD, deadline_ms=deadline)
        self.assertEqual([], self.server.asked)

    def test_refusals_have_their_types(self):
        for status, kind in (
            (400, treadle_query.Refused),
            (404, treadle_query.Refused),
            (413, treadle_query.Refused),
            (500, treadle_query.Refused),
            (429, treadle_query.TooBusy),
            (503, treadle_query.Unavailable),
            (504, treadle_query.Late),
        ):
            self.server.answers.append((status, {"error": "no"}))
            with self.assertRaises(treadle_query.QueryError) as raised:
                self.service.infer("twice", GOOD)
            error = raised.exception
            self.assertEqual((kind, status, "no", f"no ({status})"), (type(error), error.status, error.message, str(error)))
        self.assertEqual([], self.clock.sleeps, "nobody said when to ask again")
        with self.assertRaisesRegex(treadle_query.Refused, r"the secret is wrong \(401\)"):
            self.connect(secret="another-secret-of-16").infer("twice", GOOD)

    def test_what_is_no_service_is_said_so(self):
        for answer in (b"<html>Welcome</html>", [], {}, {"outputs": 3}):
            self.server.answers.append((200, answer))
            with self.assertRaisesRegex(treadle_query.Refused, "must be a JSON object with 'outputs'"):
                self.service.infer("twice", GOOD)
        self.server.answers.append((502, b"x" * 400))
        with self.assertRaisesRegex(treadle_query.Refused, r"^'x{300}…' \(502\)$"):
            self.service.infer("twice", GOOD)

    def test_who_is_too_busy_is_asked_again_when_it_says(self):
        self.server.answers.extend([(429, {"error": "busy"}, "2"), (503, {"error": "no worker"}, "0")])
        self.assertIn("y", self.service.infer("twice", GOOD, deadline_ms=10000))
        first, second = self.clock.sleeps
        self.assertTrue(2 <= first <= 2.5 and 0.5 <= second <= 0.625, self.clock.sleeps)
        deadlines = [asked[1] for asked in self.server.asked]
        self.assertEqual(10000, deadlines[0])
        self.assertAlmostEqual(10000 - 1000 * first, deadlines[1], 2)
        self.assertAlmostEqual(10000 - 1000 * (first + second), deadlines[2], 2)

    def test_the_deadline_ends_the_asking(self):
        self.server.answers.extend([(429, {"error": "busy"}, "1")] * 9)
        with self.assertRaisesRegex(treadle_query.TooBusy, r"^busy \(429\)$"):
            self.service.infer("twice", GOOD, deadline_ms=2600)
        self.assertEqual(3, len(self.server.asked))
        with self.assertRaises(treadle_query.TooBusy):
            self.connect(retry=False).infer("twice", GOOD)
        self.assertEqual(4, len(self.server.asked))

    def test_a_service_that_is_started_again_is_found_at_its_address(self):
        self.service.infer("twice", GOOD)
        port = self.server.server_port
        self.server.end()
        started = []
        self.clock.on_sleep = lambda: started.append(Server(port))
        self.assertIn("y", self.service.infer("twice", GOOD))
        self.assertEqual((1, 1), (len(self.clock.sleeps), len(started)))
        started[0].end()
        self.clock.on_sleep = lambda: None
        with self.assertRaisesRegex(treadle_query.Unavailable, "^nobody answers at http://127.0.0.1:") as raised:
            self.service.infer("twice", GOOD, deadline_ms=1500)
        self.assertEqual(0, raised.exception.status)
        self.assertIsInstance(raised.exception.__cause__, OSError)

    def test_names_that_nobody_has_are_not_waited_for(self):
        with self.assertRaisesRegex(treadle_query.Unavailable, "nobody answers at http://no-such-host.invalid:1"):
            self.connect("http://no-such-host.invalid:1").infer("twice", GOOD)
        self.assertEqual([], self.clock.sleeps)

    def test_who_speaks_no_tls_is_not_waited_for(self):
        def answer(plain):
            connection, _ = plain.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        with socket.create_server(("127.0.0.1", 0)) as plain:
            thread = threading.Thread(target=answer, args=(plain,))
            thread.start()
            with self.assertRaisesRegex(treadle_query.Unavailable, "nobody answers at https://"):
                self.connect(f"https://127.0.0.1:{plain.getsockname()[1]}").infer("twice", GOOD)
            thread.join()
        self.assertEqual([], self.clock.sleeps)

    def peers(self, count):
        peers = [Server() for _ in range(count)]
        for peer in peers:
            self.addCleanup(peer.end)
        for server in [self.server] + peers:
            server.who = 200, {"name": "digits", "ingresses": [peer.url for peer in peers]}
        return peers

    def test_where_workers_answer_queries_go_to_all_of_them(self):
        peers = self.peers(3)
        for _ in range(60):
            self.service.infer("twice", **GOOD)
        self.assertEqual(60, sum(len(peer.asked) for peer in peers))
        self.assertTrue(all(peer.asked for peer in peers))
        self.assertEqual([], self.server.asked)
        self.assertEqual(["/v2"], self.server.requests, "it says who answers")
        self.clock.now += 11
        for server in [self.server] + peers:
            server.who = 200, {"name": "digits", "ingresses": [peers[0].url]}
        before = len(peers[0].asked)
        for _ in range(5):
            self.service.infer("twice", **GOOD)
        self.assertEqual(before + 5, len(peers[0].asked))

    def test_a_worker_that_goes_or_leaves_is_not_waited_for(self):
        peers = self.peers(3)
        for _ in range(20):
            self.service.infer("twice", **GOOD)
        peers[0].end()
        peers[1].answers.append((503, {"error": "this worker leaves"}, "1"))
        for _ in range(20):
            self.service.infer("twice", **GOOD)
        self.assertEqual([], self.clock.sleeps)
        self.assertEqual(40, sum(len(peer.asked) for peer in peers) - 1 + len(peers[1].answers))

    def test_a_master_that_has_just_come_knows_of_nobody_and_is_not_believed(self):
        peers = self.peers(2)
        self.service.infer("twice", **GOOD)
        for server in [self.server] + peers:
            server.who = 200, {"name": "digits", "ingresses": []}
        self.clock.now += 11
        for _ in range(10):
            self.service.infer("twice", **GOOD)
        self.assertEqual(11, sum(len(peer.asked) for peer in peers))

    def test_workers_that_cannot_be_reached_leave_the_address_given(self):
        self.server.who = 200, {"ingresses": ["http://no-such-host.invalid:4001", "http://127.0.0.1:1"]}
        for _ in range(5):
            self.service.infer("twice", **GOOD)
        self.assertEqual([], self.clock.sleeps)
        self.assertEqual(5, len(self.server.asked))

    def test_a_worker_that_is_busy_is_passed_by(self):
        peers = self.peers(2)
        for peer in peers:
            peer.answers.append((429, {"error": "busy"}, "1"))
        self.service.infer("twice", **GOOD)
        self.assertEqual(1, len(self.clock.sleeps), "both were busy")
        self.assertEqual(3, sum(len(peer.asked) for peer in peers))

    def test_a_query_that_is_to_be_asked_once_is_asked_once(self):
        peers = self.peers(2)
        for peer in peers:
            peer.answers.append((503, {"error": "this worker leaves"}, "1"))
        with self.assertRaises(treadle_query.Unavailable):
            self.connect(retry=False).infer("twice", **GOOD)
        self.assertEqual(1, sum(len(peer.asked) for peer in peers))

    def test_workers_answer_while_the_address_given_does_not(self):
        peers = self.peers(2)
        self.service.infer("twice", **GOOD)
        self.server.end()
        self.clock.now += 11
        for _ in range(10):
            self.service.infer("twice", **GOOD)
        self.assertEqual([], self.clock.sleeps)
        self.assertEqual(11, sum(len(peer.asked) for peer in peers))
        for peer in peers:
            peer.end()
        with self.assertRaises(treadle_query.Unavailable):
            self.service.infer("twice", deadline_ms=3000, **GOOD)

    def test_the_address_alone_is_asked_where_that_is_wanted(self):
        peers = self.peers(1)
        self.connect(spread=False).infer("twice", **GOOD)
        self.connect(self.server.url + "/gateway").infer("twice", **GOOD)
        self.assertEqual(2, len(self.server.asked))
        self.assertEqual([], peers[0].asked)

    def test_strange_words_about_who_answers_do_no_harm(self):
        for who in ((200, {"ingresses": ["ftp://n1"]}), (200, {"ingresses": 7}), (200, b"no json"), (404, {}), (200, [])):
            self.server.who = who
            self.connect().infer("twice", **GOOD)
        self.assertEqual(5, len(self.server.asked))

    def test_silence_is_late(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            with self.assertRaisesRegex(treadle_query.Late, "says nothing"):
                self.connect(f"http://127.0.0.1:{silent.getsockname()[1]}").infer("twice", GOOD, deadline_ms=1)
        self.server.answers.append((503, {"error": "no worker"}, "1"))

        def oversleep():
            self.clock.now += 60

        self.clock.on_sleep = oversleep
        with self.assertRaisesRegex(treadle_query.Late, "before the query could be asked"):
            self.service.infer("twice", GOOD)

    def test_one_connection_serves_one_thread_after_the_other(self):
        for _ in range(5):
            self.service.infer("twice", GOOD)
        self.assertEqual(1, len(self.server.connections))
        self.server.drop()
        self.assertIn("y", self.connect_again_at_once())
        self.assertEqual(2, len(self.server.connections))
        self.service.close()
        self.service.infer("twice", GOOD)
        self.assertEqual(3, len(self.server.connections))

    def connect_again_at_once(self):
        answer = self.service.infer("twice", GOOD)
        self.assertEqual([], self.clock.sleeps, "an old connection's end is no reason to wait")
        return answer

    def test_threads_get_their_own_answers(self):
        def twice(handler):
            query = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
            data = [2 * value for value in query["inputs"][0]["data"]]
            handler._respond(200, {"outputs": [{"name": "y", "shape": [1, 2], "datatype": "FP32", "data": data}]})

        self.server.RequestHandlerClass = type("Twice", (Handler,), {"do_POST": twice})
        wrong = []

        def ask(thread):
            for i in range(20):
                answer = self.service.infer("twice", x=[[thread, i]], mask=[], n=0)
                if answer != {"y": [[2 * thread, 2 * i]]}:
                    wrong.append(answer)

        threads = [threading.Thread(target=ask, args=(thread,)) for thread in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], wrong)
        self.assertEqual(160, self.server.requests.count("/v2/models/twice/infer"))
        self.assertLessEqual(len(self.server.connections), 8)

    def test_addresses_and_secrets_that_cannot_be(self):
        for url in ("node7:40123", "ftp://node7", "http://", "http://node7/?q=1", "http://ann:secret@node7"):
            with self.assertRaisesRegex(ValueError, "must be one such as http://node7:40123"):
                self.connect(url)
        for secret in ("", "two words", "line\n", "sécret"):
            with self.assertRaises(ValueError) as raised:
                self.connect(secret=secret)
            self.assertNotIn("secret is " + repr(secret), str(raised.exception))
        self.assertNotIn(SECRET, repr(self.service))
        self.connect(self.server.url + "/gateway/").infer("twice", GOOD)
        self.assertEqual("/gateway/v2/models/twice/infer", self.server.asked[0][0])


if __name__ == "__main__":
    unittest.main()
