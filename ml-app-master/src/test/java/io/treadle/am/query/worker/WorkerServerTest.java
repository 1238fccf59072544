// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.am.query.onnx.OnnxRuntime;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.wire.Connection;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.Ended;
import io.treadle.am.query.wire.Message.Hello;
import io.treadle.am.query.wire.Message.Lost;
import io.treadle.am.query.wire.Message.ModelFile;
import io.treadle.am.query.wire.Message.Returned;
import io.treadle.am.query.wire.Message.Run;
import io.treadle.am.query.wire.Message.Setup;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real workers that run real models, on the network of this machine. */
@Timeout(300)
class WorkerServerTest {
    private static final String SECRET = "s3cret";
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

    private final FrameCodec codec = new FrameCodec(1 << 20);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Setup setup;

    /** Model 0 doubles and adds 1, model 1 takes the difference of two numbers. */
    WorkerServerTest(@TempDir Path directory) throws IOException {
        Path doubling = OnnxFile.linear(directory.resolve("0.onnx"), new float[] {2, 0, 0, 2}, 2, 1, 1);
        Path difference = OnnxFile.linear(directory.resolve("1.onnx"), new float[] {1, -1}, 2, 0);
        setup = new Setup(
                100,
                "look-ahead",
                "fifo",
                List.of(
                        new ModelFile(0, "doubling", 40, doubling.toString()),
                        new ModelFile(1, "difference", 40, difference.toString()),
                        new ModelFile(2, "huge", 101, "/nowhere"),
                        new ModelFile(
                                3,
                                "missing",
                                10,
                                directory.resolve("missing.onnx").toString())));
    }

    private WorkerServer worker() throws IOException {
        WorkerServer worker = new WorkerServer(
                        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                        SECRET,
                        codec,
                        new OnnxRuntime(1),
                        PeerHost.NONE)
                .start();
        open.add(worker);
        return worker;
    }

    private Connection connect(WorkerServer worker, String desk) throws IOException {
        Connection connection =
                Connection.open(HOST, worker.port(), codec, new Hello(Message.VERSION, SECRET, desk), 5000);
        open.add(connection);
        return connection;
    }

    private Connection master(WorkerServer worker) throws IOException {
        Connection master = connect(worker, Message.MASTER);
        master.send(Frame.of(setup));
        next(master, Message.Ready.class);
        return master;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** What comes next of a kind. */
    private static <T extends Message> Frame next(Connection connection, Class<T> kind) throws IOException {
        while (true) {
            Frame frame = connection.read();
            if (kind.isInstance(frame.message())) {
                return frame;
            }
        }
    }

    private static Ended ended(Connection connection) throws IOException {
        return (Ended) next(connection, Ended.class).message();
    }

    private static Frame run(String query, int task, int model) {
        return Frame.of(new Run(query, task, "t" + task, model, 1, 1, 0, List.of("x")));
    }

    private static Frame feed(String query, int task, float... x) {
        return new Frame(new Message.Feed(query, task), Map.of("x", Floats.of(List.of(1L, 2L), x)));
    }

    @Test
    void modelsAreMeasuredBeforeTheyServe() throws Exception {
        WorkerServer worker = worker();
        Connection master = connect(worker, Message.MASTER);
        master.send(Frame.of(new Message.Measure(setup.models())));
        for (ModelFile model : setup.models()) {
            Message.Measured measured =
                    (Message.Measured) next(master, Message.Measured.class).message();
            assertEquals(model.id(), measured.model());
            if (!Files.exists(Path.of(model.path()))) {
                assertTrue(measured.failure().contains(": there is no file "), measured::failure);
            } else {
                assertEquals("", measured.failure());
                assertTrue(measured.kb() >= Files.size(Path.of(model.path())) / 1000.0);
                assertEquals(
                        List.of("x"),
                        measured.inputs().stream().map(TensorSpec::name).toList());
                assertEquals(
                        List.of("y"),
                        measured.outputs().stream().map(TensorSpec::name).toList());
            }
        }
        master.send(Frame.of(setup));
        next(master, Message.Ready.class);
    }

    @Test
    void whatIsFetchedAheadIsWhatHasRoomAndThereBeforeItIsTold() throws Exception {
        Connection master = master(worker());
        // The second is too large, the third is not there, the fourth is none of the service's.
        master.send(Frame.of(new Message.Fetch(List.of(1, 2, 3, 9, 0))));
        List<Integer> loaded = new ArrayList<>();
        Message next = master.read().message();
        while (!(next instanceof Message.Fetched)) {
            if (next instanceof Message.Loaded one) {
                loaded.add(one.model());
            }
            next = master.read().message();
        }
        assertEquals(List.of(1, 0), loaded);
        Message.State state;
        do {
            // One may have been on its way before.
            state = (Message.State) next(master, Message.State.class).message();
        } while (state.models().size() < 2);
        assertEquals(Set.of(0, 1), Set.copyOf(state.models()));
        assertEquals(20, state.freeKb());
        assertEquals(0, state.done().loads(), "no task had to wait for them");
        // They are there already.
        master.send(Frame.of(new Message.Fetch(List.of(0, 1))));
        do {
            next = master.read().message();
            assertFalse(next instanceof Message.Loaded, next::toString);
        } while (!(next instanceof Message.Fetched));
    }

    @Test
    void outputsGoFromWorkerToWorkerAndBackToTheMaster() throws Exception {
        WorkerServer first = worker();
        WorkerServer second = worker();
        Connection toFirst = master(first);
        Connection toSecond = master(second);
        toSecond.send(run("master/q", 1, 1));
        toFirst.send(run("master/q", 0, 0));
        toFirst.send(feed("master/q", 0, 5, 3));
        Ended ended = ended(toFirst);
        assertEquals("", ended.failure());
        assertEquals(Map.of("y", 0.008), ended.outputKb());
        toFirst.send(Frame.of(new Message.Pass("master/q", 0, HOST, second.port(), 1, Map.of("x", "y"))));
        assertEquals("", ended(toSecond).failure());
        toSecond.send(Frame.of(new Message.Return("master/q", 1, List.of("y"))));
        Frame back = next(toSecond, Returned.class);
        Tensor y = Objects.requireNonNull(back.tensors().get("y"));
        // (2 · 5 + 1) - (2 · 3 + 1)
        assertEquals(List.of(4f), Floats.in(y));
    }

    @Test
    void inputsMayComeBeforeTheirTaskAndOutputsStayOnOneWorker() throws Exception {
        Connection master = master(worker());
        master.send(feed("master/q", 0, 1, 0));
        master.send(run("master/q", 0, 0));
        assertEquals("", ended(master).failure());
        master.send(Frame.of(new Message.Pass("master/q", 0, "", 0, 1, Map.of("x", "y"))));
        master.send(run("master/q", 1, 1));
        assertEquals(1, ended(master).task());
        master.send(Frame.of(new Message.Return("master/q", 1, List.of("y"))));
        assertEquals(
                List.of(2f),
                Floats.in(Objects.requireNonNull(
                        next(master, Returned.class).tensors().get("y"))));
    }

    @Test
    void whatFailsIsToldAndTheWorkerGoesOn() throws Exception {
        Connection master = master(worker());
        master.send(run("master/q", 0, 3));
        master.send(feed("master/q", 0, 1, 1));
        assertTrue(ended(master).failure().startsWith("model 'missing': there is no file "));
        master.send(run("master/q", 1, 2));
        master.send(feed("master/q", 1, 1, 1));
        assertEquals(
                "model 'huge' takes 101 kB, must be at most the 100 kB of a worker's memory",
                ended(master).failure());
        master.send(run("master/q", 2, 9));
        master.send(feed("master/q", 2, 1, 1));
        assertEquals("worker knows no model 9", ended(master).failure());
        master.send(run("master/q", 3, 0));
        master.send(new Frame(new Message.Feed("master/q", 3), Map.of("x", Floats.of(List.of(1L, 3L), 1, 1, 1))));
        assertEquals(
                "model 'doubling': 'x' has the shape [1, 3], must be [any, 2]",
                ended(master).failure());
        master.send(run("master/q", 4, 0));
        master.send(feed("master/q", 4, 1, 1));
        assertEquals("", ended(master).failure());
    }

    @Test
    void outputsThatAreNotThereOrCannotBePassedOnAreTold() throws Exception {
        WorkerServer gone = worker();
        int port = gone.port();
        gone.close();
        Connection master = master(worker());
        master.send(Frame.of(new Message.Pass("master/q", 0, HOST, port, 1, Map.of("x", "y"))));
        assertEquals(
                new Lost("master/q", 0, 1, false, "output 'y' is not there"),
                next(master, Lost.class).message());
        master.send(run("master/q", 0, 0));
        master.send(feed("master/q", 0, 1, 1));
        ended(master);
        master.send(Frame.of(new Message.Pass("master/q", 0, HOST, port, 1, Map.of("x", "y"))));
        Lost lost = (Lost) next(master, Lost.class).message();
        assertTrue(lost.areKept());
        assertTrue(lost.why().startsWith("worker " + HOST + ":" + port + " cannot be reached: "), lost::why);
        master.send(Frame.of(new Message.Forget("master/q")));
        master.send(Frame.of(new Message.Return("master/q", 0, List.of("y"))));
        assertEquals(
                new Lost("master/q", 0, 0, false, "of the outputs [y] there are []"),
                next(master, Lost.class).message());
    }

    @Test
    void aNewMasterFindsTheModelsAndNothingElse() throws Exception {
        WorkerServer worker = worker();
        Connection before = master(worker);
        before.send(run("master/old", 0, 0));
        before.send(feed("master/old", 0, 1, 1));
        ended(before);
        before.close();
        Connection after = master(worker);
        Message.State state = (Message.State) next(after, Message.State.class).message();
        assertEquals(List.of(0), state.models());
        assertEquals(60, state.freeKb(), 1e-9);
        after.send(Frame.of(new Message.Return("master/old", 0, List.of("y"))));
        assertEquals("master/old", ((Lost) next(after, Lost.class).message()).query());
        after.send(run("master/new", 0, 0));
        after.send(feed("master/new", 0, 1, 1));
        assertEquals("master/new", ended(after).query());
    }

    @Test
    void whoDoesNotKnowTheSecretOrTheLanguageIsSentAway() throws Exception {
        WorkerServer worker = worker();
        for (Hello hello :
                List.of(new Hello(Message.VERSION, "guess", Message.MASTER), new Hello(2, SECRET, Message.MASTER))) {
            try (Connection stranger = Connection.open(HOST, worker.port(), codec, hello, 5000)) {
                assertThrows(IOException.class, stranger::read);
            }
        }
        try (Connection rude =
                Connection.open(HOST, worker.port(), codec, new Hello(Message.VERSION, SECRET, ""), 5000)) {
            rude.send(Frame.of(new Message.Forget("master/q")));
            assertThrows(IOException.class, rude::read);
        }
        try (Socket noise = new Socket(HOST, worker.port())) {
            new DataOutputStream(noise.getOutputStream()).writeLong(-1);
            assertEquals(-1, noise.getInputStream().read());
        }
        // It goes on for those that do.
        Connection master = master(worker);
        master.send(run("master/q", 0, 0));
        master.send(feed("master/q", 0, 1, 1));
        assertEquals("", ended(master).failure());
    }

    @Test
    void eachDeskHearsOfItsOwnQueriesAndOneThatGoesTakesItsOwnWithIt() throws Exception {
        WorkerServer worker = worker();
        Connection master = master(worker);
        Connection peer = connect(worker, "w1");
        peer.send(Frame.of(setup));
        next(peer, Message.Ready.class);
        peer.send(run("w1/a", 0, 0));
        peer.send(feed("w1/a", 0, 1, 1));
        master.send(run("master/a", 0, 0));
        master.send(feed("master/a", 0, 1, 1));
        assertEquals("w1/a", ended(peer).query());
        assertEquals("master/a", ended(master).query());
        // All hear how the worker is.
        assertEquals(2, awaitQueries(master, 2));
        assertEquals(2, awaitQueries(peer, 2));
        peer.close();
        assertEquals(1, awaitQueries(master, 1));
        master.send(Frame.of(new Message.Return("master/a", 0, List.of("y"))));
        assertEquals("master/a", ((Returned) next(master, Returned.class).message()).query());
    }

    private static int awaitQueries(Connection desk, int wanted) throws IOException {
        int queries;
        do {
            queries = ((Message.State) next(desk, Message.State.class).message()).queries();
        } while (queries != wanted);
        return queries;
    }

    @Test
    void aDeskMayAskForItsOwnQueriesAloneAndChangesNoWorker() throws Exception {
        WorkerServer worker = worker();
        Connection early = connect(worker, "w1");
        early.send(Frame.of(setup));
        assertThrows(IOException.class, () -> next(early, Message.Ready.class), "the master has not set it up yet");
        Connection master = master(worker);
        for (Frame wrong : List.of(
                run("master/q", 0, 0),
                feed("w2/q", 0, 1, 1),
                Frame.of(new Message.Forget("master/q")),
                Frame.of(new Setup(1, "lru", "fifo", setup.models())),
                Frame.of(new Message.Measure(setup.models())),
                Frame.of(new Message.Fetch(List.of(0))),
                Frame.of(new Message.Peers(List.of(), true)))) {
            Connection peer = connect(worker, "w1");
            peer.send(Frame.of(setup));
            next(peer, Message.Ready.class);
            peer.send(wrong);
            assertThrows(IOException.class, () -> next(peer, Message.Ready.class), wrong::toString);
        }
        master.send(run("master/q", 0, 0));
        master.send(feed("master/q", 0, 1, 1));
        assertEquals("", ended(master).failure());
    }

    /** As if the worker were lost: what they have asked for is gone with what ran it. */
    @Test
    void otherDesksLoseAWorkerThatIsSetUpAnew() throws Exception {
        WorkerServer worker = worker();
        Connection master = master(worker);
        Connection peer = connect(worker, "w1");
        peer.send(Frame.of(setup));
        next(peer, Message.Ready.class);
        master.send(Frame.of(new Setup(90, "lru", "fifo", setup.models())));
        next(master, Message.Ready.class);
        assertThrows(IOException.class, () -> next(peer, Ended.class));
    }

    /** The desk runs a query again that it had there before, and another worker is faster than it. */
    @Test
    void ofADeskThatComesAgainInputsMayComeBeforeTheirTask() throws Exception {
        WorkerServer worker = worker();
        Connection before = master(worker);
        before.send(run("master/q", 0, 0));
        before.send(feed("master/q", 0, 1, 1));
        ended(before);
        Connection again = master(worker);
        Connection other = connect(worker, "");
        other.send(feed("master/q", 1, 2, 2));
        other.send(feed("w9/q", 1, 2, 2));
        // Both have come when a third has been answered that went the same way.
        other.send(feed("master/r", 0, 3, 3));
        again.send(run("master/r", 0, 0));
        assertEquals("master/r", ended(again).query());
        again.send(run("master/q", 1, 0));
        assertEquals("master/q", ended(again).query());
        assertEquals(2, awaitQueries(again, 2), "of a desk that is not there nothing is kept");
    }

    @Test
    void tellsHowManyLoadsHaveFailedInARow() throws Exception {
        Connection master = master(worker());
        for (int task = 0; task < 2; task++) {
            master.send(run("master/q", task, 3));
            master.send(feed("master/q", task, 1, 1));
            ended(master);
        }
        Message.State state;
        do {
            state = (Message.State) next(master, Message.State.class).message();
        } while (state.failedLoads() != 2);
        master.send(run("master/q", 2, 0));
        master.send(feed("master/q", 2, 1, 1));
        do {
            state = (Message.State) next(master, Message.State.class).message();
        } while (state.failedLoads() != 0);
        assertEquals(3, state.done().tasks());
    }
}
