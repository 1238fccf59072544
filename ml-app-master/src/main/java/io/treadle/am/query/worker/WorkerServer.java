// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.wire.Connection;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.Feed;
import io.treadle.am.query.wire.Message.Forget;
import io.treadle.am.query.wire.Message.Hello;
import io.treadle.am.query.wire.Message.Measure;
import io.treadle.am.query.wire.Message.Open;
import io.treadle.am.query.wire.Message.Pass;
import io.treadle.am.query.wire.Message.Return;
import io.treadle.am.query.wire.Message.Run;
import io.treadle.am.query.wire.Message.Setup;
import io.treadle.am.query.wire.Outbox;
import io.treadle.am.query.wire.QueryIds;
import io.treadle.am.query.wire.WireException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker of a service on the network: desks, the master's first, and other workers connect to it. */
public final class WorkerServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);
    /** Whoever connects has so long to say who it is. */
    private static final int HELLO_MS = 10_000;
    /** Strangers may send no more than a Hello takes. */
    private static final FrameCodec HELLO = new FrameCodec(0, 4096);
    /** How often each desk hears how this worker is, whatever happens. */
    private static final long REPORT_MS = 50;
    /** How often the master hears what this worker's own desk has done. */
    private static final int ANSWERED_EVERY = 20;

    private final ServerSocket server;
    private final String secret;
    private final FrameCodec codec;
    private final Peers peers;
    private final ModelRuntime runtime;
    private final WorkerDesk desk;
    private final PeerHost host;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final Thread reporter = new Thread(this::report, "reports");
    private volatile boolean isClosed;

    /**
     * @param server bound, and closed with this
     * @param secret of the service, which all who connect must know
     * @param host closed with this
     */
    public WorkerServer(ServerSocket server, String secret, FrameCodec codec, ModelRuntime runtime, PeerHost host) {
        this.host = host;
        this.server = server;
        this.secret = secret;
        this.codec = codec;
        this.runtime = runtime;
        peers = new Peers(codec, secret);
        desk = new WorkerDesk(runtime, peers);
        reporter.setDaemon(true);
    }

    public WorkerServer start() {
        reporter.start();
        daemon(this::accept, "connections");
        return this;
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Whether a master is connected. */
    boolean hasMaster() {
        return desk.serves(Message.MASTER);
    }

    private static void daemon(Runnable what, String name) {
        Thread thread = new Thread(what, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!isClosed) {
            try {
                Socket socket = server.accept();
                daemon(() -> serve(socket), "from " + socket.getRemoteSocketAddress());
            } catch (IOException e) {
                if (!isClosed) {
                    LOG.warn("A connection was not accepted: {}", e.getMessage());
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                Connection connection = new Connection(socket, codec)) {
            connections.add(connection);
            try {
                String name = greet(connection.read(HELLO, HELLO_MS).message());
                if (name.isEmpty()) {
                    while (!isClosed) {
                        takeOutputs(connection.read());
                    }
                } else {
                    serve(name, connection);
                }
            } finally {
                connections.remove(connection);
            }
        } catch (EOFException e) {
            LOG.debug("{} has gone", socket);
        } catch (WireException | IllegalArgumentException e) {
            LOG.warn("{} is sent away: {}", socket, e.getMessage());
        } catch (IOException e) {
            if (!isClosed) {
                LOG.info("{} is lost: {}", socket, e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(String name, Connection connection) throws IOException, InterruptedException {
        try (Outbox asking = new Outbox(connection, name)) {
            desk.serve(name, asking);
            try {
                while (!isClosed) {
                    take(connection.read(), name, asking);
                }
            } finally {
                desk.left(name, asking);
            }
        }
    }

    private String greet(Message message) throws WireException {
        if (!(message instanceof Hello hello)) {
            throw new WireException("the first message must be a Hello");
        }
        if (!MessageDigest.isEqual(
                hello.secret().getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8))) {
            throw new WireException("it does not know the service's secret");
        }
        if (hello.version() != Message.VERSION) {
            throw new WireException("it speaks version " + hello.version() + ", must be " + Message.VERSION);
        }
        return hello.desk();
    }

    private void takeOutputs(Frame frame) throws WireException {
        if (!(frame.message() instanceof Feed feed)) {
            throw new WireException(
                    "another worker sends " + frame.message().getClass().getSimpleName() + ", may send Feed alone");
        }
        desk.feed(feed.query(), feed.task(), frame.tensors());
    }

    private void take(Frame frame, String name, Outbox asking) throws IOException, InterruptedException {
        Message message = frame.message();
        if (message instanceof Run run) {
            checkOwner(run.query(), name);
            desk.run(run, asking);
        } else if (message instanceof Feed feed) {
            checkOwner(feed.query(), name);
            desk.feed(feed.query(), feed.task(), frame.tensors(), asking);
        } else if (message instanceof Pass pass) {
            checkOwner(pass.query(), name);
            desk.pass(pass);
        } else if (message instanceof Return wanted) {
            checkOwner(wanted.query(), name);
            desk.giveBack(wanted);
        } else if (message instanceof Forget forget) {
            checkOwner(forget.query(), name);
            desk.forget(forget.query());
        } else if (message instanceof Setup setup) {
            desk.setUp(setup, name.equals(Message.MASTER), asking);
        } else if (name.equals(Message.MASTER)) {
            takeFromMaster(message, asking);
        } else {
            throw new WireException("desk '" + name + "' sends "
                    + message.getClass().getSimpleName() + ", may send Setup, Run, Feed, Pass, Return and Forget");
        }
    }

    private static void checkOwner(String query, String name) throws WireException {
        if (!QueryIds.desk(query).equals(name)) {
            throw new WireException("desk '" + name + "' asks for query '" + query + "', which is not its own");
        }
    }

    private void takeFromMaster(Message message, Outbox asking) throws IOException {
        if (message instanceof Measure measure) {
            WorkerDesk.measure(measure, runtime, asking);
        } else if (message instanceof Message.Fetch fetch) {
            // Who asks need not wait for it.
            daemon(() -> fetch(fetch, asking), "fetches models");
        } else if (message instanceof Open open) {
            try {
                asking.send(Frame.of(new Message.Listens(host.open(open))));
            } catch (IOException | RuntimeException e) {
                // It goes on as a worker.
                LOG.error("This worker does not answer queries itself", e);
            }
        } else if (message instanceof Message.Peers now) {
            host.peers(now);
        } else {
            throw new WireException("the master sends " + message.getClass().getSimpleName()
                    + ", may send Measure, Setup, Fetch, Open, Peers, Run, Feed, Pass, Return and Forget");
        }
    }

    private void fetch(Message.Fetch wanted, Outbox asking) {
        try {
            desk.fetch(wanted.models(), asking);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report() {
        try {
            for (int round = 0; !isClosed; round++) {
                desk.report(host.active());
                if (round % ANSWERED_EVERY == 0) {
                    host.answered().ifPresent(now -> desk.tellDesk(Message.MASTER, Frame.of(now)));
                }
                Thread.sleep(REPORT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        isClosed = true;
        server.close();
        for (Connection connection : connections) {
            connection.close();
        }
        host.close();
        peers.close();
        reporter.interrupt();
        reporter.join();
        desk.close();
    }
}
