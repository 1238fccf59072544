// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.peer;

import io.treadle.am.query.master.ConnectedWorker;
import io.treadle.am.query.master.ServiceDesk;
import io.treadle.am.query.wire.Message.Peer;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a desk connected to the workers that there are to be, and lets go of others once nothing needs them. */
final class PeerLinks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);
    private static final long LOOK_MS = 250;
    /** Between two attempts at one that does not answer, doubled each time. */
    private static final long MOST_BETWEEN_MS = 5_000;

    /** That a worker was not reached, and when it is tried again. */
    private record Missed(long betweenMs, long againNanos) {
        private static Missed after(@Nullable Missed before) {
            long between = before == null ? LOOK_MS : Math.min(MOST_BETWEEN_MS, 2 * before.betweenMs());
            return new Missed(between, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(between));
        }
    }

    /** Where a worker listens. */
    private record Address(String host, int port) {}

    private final ServiceDesk desk;
    private final ExecutorService connecting = Executors.newCachedThreadPool(work -> daemon(work, "connecting"));
    private final Thread keeper = daemon(this::keep, "peers");
    private final Map<Address, ConnectedWorker> connected = new HashMap<>();
    private final Set<Address> beingReached = new HashSet<>();
    private final Map<Address, Missed> missed = new HashMap<>();
    private Set<Address> wanted = Set.of();
    private boolean isClosed;

    PeerLinks(ServiceDesk desk) {
        this.desk = desk;
        keeper.start();
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    synchronized void want(List<Peer> workers) {
        wanted = workers.stream()
                .map(peer -> new Address(peer.host(), peer.port()))
                .collect(Collectors.toUnmodifiableSet());
        notifyAll();
    }

    private void keep() {
        try {
            while (true) {
                synchronized (this) {
                    look();
                    wait(LOOK_MS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        for (Iterator<Map.Entry<Address, ConnectedWorker>> each =
                        connected.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<Address, ConnectedWorker> one = each.next();
            ConnectedWorker worker = one.getValue();
            if (!worker.isConnected()) {
                each.remove();
            } else if (wanted.contains(one.getKey())) {
                // It may have been missing for a moment, while the master was not connected to it.
                if (worker.isFit()) {
                    worker.welcome();
                } else {
                    worker.retire();
                }
            } else {
                worker.retire();
                if (worker.isFree()) {
                    worker.close();
                    each.remove();
                }
            }
        }
        missed.keySet().retainAll(wanted);
        for (Address address : wanted) {
            Missed last = missed.get(address);
            boolean isDue = last == null || System.nanoTime() - last.againNanos() >= 0;
            if (isDue && !connected.containsKey(address) && beingReached.add(address)) {
                connecting.execute(() -> reach(address));
            }
        }
    }

    private void reach(Address address) {
        try {
            ConnectedWorker worker = desk.connect(address.host(), address.port());
            synchronized (this) {
                if (isClosed) {
                    worker.close();
                } else {
                    connected.put(address, worker);
                    missed.remove(address);
                }
            }
        } catch (IOException e) {
            miss(address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            done(address);
        }
    }

    private synchronized void miss(Address address, IOException why) {
        if (missed.put(address, Missed.after(missed.get(address))) == null) {
            LOG.info("worker {}:{} is not reached yet: {}", address.host(), address.port(), why.getMessage());
        }
    }

    private synchronized void done(Address address) {
        beingReached.remove(address);
    }

    @Override
    public void close() {
        keeper.interrupt();
        connecting.shutdownNow();
        synchronized (this) {
            isClosed = true;
            connected.values().forEach(ConnectedWorker::close);
            connected.clear();
        }
    }
}
