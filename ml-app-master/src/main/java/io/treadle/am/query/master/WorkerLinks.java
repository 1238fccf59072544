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
import io.treadle.am.query.wire.WireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The master's connections to its workers. What is sent goes out by a thread of each, so that no worker holds up another. */
final class WorkerLinks implements WorkerGateway, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLinks.class);
    private static final int TIMEOUT_MS = 5_000;
    /** The largest models are read at some 100 MB/s from a cold disk. */
    private static final int LOAD_MS = 300_000;
    /** Workers tell how they are some twenty times a second: one that says nothing is not there, whatever TCP thinks. */
    private static final int SILENT_MS = 10_000;
    /** A worker with another setup finishes what it runs first. */
    private static final int SETUP_MS = 30_000;
    /** Of a worker that takes nothing more: it is lost. */
    private static final int MOST_WAITING = 100_000;
    /** Frames that go out together. */
    private static final int MOST_TOGETHER = 64;

    private static final class Link {
        private final Connection connection;
        private final BlockingQueue<Frame> waiting = new LinkedBlockingQueue<>(MOST_WAITING);

        Link(Connection connection) {
            this.connection = connection;
        }
    }

    private final FrameCodec codec;
    private final String secret;
    private final int silentMs;
    private final Map<Integer, Link> links = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    WorkerLinks(FrameCodec codec, String secret) {
        this(codec, secret, SILENT_MS);
    }

    /** @param silentMs after which a worker that says nothing is lost */
    WorkerLinks(FrameCodec codec, String secret, int silentMs) {
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
        Connection connection =
                Connection.open(host, port, codec, new Hello(Message.VERSION, secret, true), TIMEOUT_MS);
        Link link = new Link(connection);
        try {
            setUp(connection, setup);
        } catch (IOException e) {
            close(link);
            throw e;
        }
        int worker;
        // The desk may send as soon as it knows the worker.
        synchronized (desk) {
            worker = desk.joined(host, port, setup.memoryKb());
            links.put(worker, link);
        }
        Thread writer = daemon(() -> write(link), "to worker " + worker);
        daemon(() -> read(desk, worker, link, writer), "from worker " + worker);
        return new ConnectedWorker(desk, worker, () -> links.get(worker) == link, () -> close(link));
    }

    /**
     * Has a worker load each of the models once.
     *
     * @return what each is, in their order
     * @throws IOException if it does not answer
     */
    List<Message.Measured> measure(String host, int port, List<Message.ModelFile> models) throws IOException {
        try (Connection connection =
                Connection.open(host, port, codec, new Hello(Message.VERSION, secret, true), TIMEOUT_MS)) {
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
     * Until the worker has answered, it may still drop what it had for an earlier master, and with it what others send it for
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

    private static Thread daemon(Runnable what, String name) {
        Thread thread = new Thread(what, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void send(int worker, Frame frame) {
        Link link = links.get(worker);
        if (link != null && !link.waiting.offer(frame)) {
            LOG.warn("worker {} takes nothing more", worker);
            close(link);
        }
    }

    private static void write(Link link) {
        try {
            List<Frame> next = new ArrayList<>();
            while (true) {
                next.add(link.waiting.take());
                link.waiting.drainTo(next, MOST_TOGETHER);
                link.connection.send(next);
                next.clear();
            }
        } catch (IOException e) {
            // Who reads hears of it.
            close(link);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(QueryDesk desk, int worker, Link link, Thread writer) {
        try {
            while (true) {
                take(desk, worker, link.connection.read());
            }
        } catch (IOException e) {
            if (!isClosed) {
                LOG.warn("worker {} is lost: {}", worker, e.getMessage());
            }
        } catch (RuntimeException | Error e) {
            LOG.error("what worker {} tells cannot be used, it is given up", worker, e);
        } finally {
            close(link);
            writer.interrupt();
            synchronized (desk) {
                if (links.remove(worker, link)) {
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
            desk.loaded(worker, loaded);
        }
    }

    private static void close(Link link) {
        try {
            link.connection.close();
        } catch (IOException e) {
            // It is not used any more, whatever became of it.
        }
    }

    @Override
    public void close() {
        isClosed = true;
        links.values().forEach(WorkerLinks::close);
    }
}
