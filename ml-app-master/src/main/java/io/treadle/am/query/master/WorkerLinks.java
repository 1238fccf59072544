// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Connection;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.Ended;
import io.treadle.am.query.wire.Message.Hello;
import io.treadle.am.query.wire.Message.Loaded;
import io.treadle.am.query.wire.Message.Lost;
import io.treadle.am.query.wire.Message.Returned;
import io.treadle.am.query.wire.Message.Setup;
import io.treadle.am.query.wire.Message.State;
import io.treadle.am.query.wire.Outbox;
import io.treadle.am.query.wire.WireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A desk's connections to its workers. What is sent goes out by a thread of each, so that no worker holds up another. */
final class WorkerLinks implements WorkerGateway, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLinks.class);
    private static final int TIMEOUT_MS = 5_000;
    /** The largest models are read at some 100 MB/s from a cold disk. */
    private static final int LOAD_MS = 300_000;
    /** Workers tell how they are some twenty times a second: one that says nothing is not there, whatever TCP thinks. */
    private static final int SILENT_MS = 10_000;
    /** A worker with another setup finishes what it runs first. */
    private static final int SETUP_MS = 30_000;
    /** A worker that has not loaded by then what it will need is needed more than that. */
    private static final long FETCH_MS = 120_000;

    private final FrameCodec codec;
    private final String secret;
    private final int silentMs;
    private final String name;
    private final Map<Integer, Outbox> links = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /** @param name of the desk */
    WorkerLinks(FrameCodec codec, String secret, String name) {
        this(codec, secret, name, SILENT_MS);
    }

    /** @param silentMs after which a worker that says nothing is lost */
    WorkerLinks(FrameCodec codec, String secret, String name, int silentMs) {
        this.name = name;
        this.codec = codec;
        this.secret = secret;
        this.silentMs = silentMs;
    }

    /**
     * Connects to a worker, which belongs to the desk once it has said that it is set up.
     *
     * @throws IOException if it does not answer
     */
    ConnectedWorker connect(QueryDesk desk, String host, int port, Setup setup) throws IOException {
        return connect(desk, host, port, setup, List.of());
    }

    /**
     * As {@link #connect(QueryDesk, String, int, Setup)}, for a worker that first loads what it will need.
     *
     * @param models their ids, those that matter most first
     */
    ConnectedWorker connect(QueryDesk desk, String host, int port, Setup setup, List<Integer> models)
            throws IOException {
        Connection connection = open(host, port);
        try {
            setUp(connection, setup);
            fetch(desk, connection, models);
        } catch (IOException e) {
            close(connection);
            throw e;
        }
        Outbox outbox = new Outbox(connection, "worker at " + host + ":" + port);
        int worker;
        ConnectedWorker connected;
        // The desk may send as soon as it knows the worker.
        synchronized (desk) {
            worker = desk.joined(host, port, setup.memoryKb());
            links.put(worker, outbox);
            connected = new ConnectedWorker(desk, worker, () -> links.get(worker) == outbox, outbox);
        }
        daemon(() -> read(desk, worker, connection, outbox), "from worker " + worker);
        return connected;
    }

    private Connection open(String host, int port) throws IOException {
        return Connection.open(host, port, codec, new Hello(Message.VERSION, secret, name), TIMEOUT_MS);
    }

    /**
     * Has a worker load each of the models once.
     *
     * @return what each is, in their order
     * @throws IOException if it does not answer
     */
    List<Message.Measured> measure(String host, int port, List<Message.ModelFile> models) throws IOException {
        try (Connection connection = open(host, port)) {
            connection.timeout(LOAD_MS);
            connection.send(Frame.of(new Message.Measure(models)));
            List<Message.Measured> measured = new ArrayList<>();
            while (measured.size() < models.size()) {
                if (connection.read().message() instanceof Message.Measured one) {
                    if (one.model() != models.get(measured.size()).id()) {
                        throw new WireException("it tells of model " + one.model() + ", must tell of "
                                + models.get(measured.size()).id());
                    }
                    measured.add(one);
                }
            }
            return measured;
        }
    }

    /**
     * Until the worker has answered, it may still drop what it had for an earlier desk of this name, and with it what others send it for
     * this one.
     */
    private void setUp(Connection connection, Setup setup) throws IOException {
        connection.send(Frame.of(setup));
        connection.timeout(SETUP_MS);
        while (!(connection.read().message() instanceof Message.Ready)) {
            LOG.debug("a worker tells of what it did before");
        }
        connection.timeout(silentMs);
    }

    private static void fetch(QueryDesk desk, Connection connection, List<Integer> models) throws IOException {
        if (models.isEmpty()) {
            return;
        }
        connection.send(Frame.of(new Message.Fetch(models)));
        long begun = System.nanoTime();
        Message message;
        do {
            message = connection.read().message();
            if (message instanceof Loaded loaded) {
                desk.loaded(loaded);
            }
        } while (!(message instanceof Message.Fetched)
                && System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(FETCH_MS));
    }

    private static void daemon(Runnable what, String name) {
        Thread thread = new Thread(what, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void send(int worker, Frame frame) {
        Outbox outbox = links.get(worker);
        if (outbox != null) {
            outbox.send(frame);
        }
    }

    private void read(QueryDesk desk, int worker, Connection connection, Outbox outbox) {
        try {
            while (true) {
                take(desk, worker, connection.read());
            }
        } catch (IOException e) {
            if (!isClosed) {
                LOG.warn("worker {} is lost: {}", worker, e.getMessage());
            }
        } catch (RuntimeException | Error e) {
            LOG.error("what worker {} tells cannot be used, it is given up", worker, e);
        } finally {
            outbox.close();
            synchronized (desk) {
                if (links.remove(worker, outbox)) {
                    desk.gone(worker);
                }
            }
        }
    }

    private static void take(QueryDesk desk, int worker, Frame frame) {
        Message message = frame.message();
        if (message instanceof State state) {
            desk.told(worker, state);
        } else if (message instanceof Ended ended) {
            desk.ended(worker, ended);
        } else if (message instanceof Returned returned) {
            desk.returned(worker, returned.query(), returned.task(), frame.tensors());
        } else if (message instanceof Lost lost) {
            desk.lost(worker, lost);
        } else if (message instanceof Loaded loaded) {
            desk.loaded(loaded);
        } else if (message instanceof Message.Listens listens) {
            desk.listens(worker, listens.port());
        } else if (message instanceof Message.Answered answered) {
            desk.answered(worker, answered);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // It is not used any more, whatever became of it.
        }
    }

    @Override
    public void close() {
        isClosed = true;
        links.values().forEach(Outbox::close);
    }
}
