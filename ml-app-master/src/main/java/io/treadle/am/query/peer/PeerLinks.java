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
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a desk connected to the workers that there are to be, and lets go of others once nothing needs them. */
final class PeerLinks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);
    /** Between two looks, and two attempts at one that does not answer. */
    private static final long LOOK_MS = 250;

    /** Where a worker listens. */
    private record Address(String host, int port) {}

    private final ServiceDesk desk;
    private final ExecutorService connecting = Executors.newCachedThreadPool(work -> daemon(work, "connecting"));
    private final Thread keeper = daemon(this::keep, "peers");
    private final Map<Address, ConnectedWorker> connected = new HashMap<>();
    private final Set<Address> beingReached = new HashSet<>();
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
            } else if (!wanted.contains(one.getKey())) {
                worker.retire();
                if (worker.isFree()) {
                    worker.close();
                    each.remove();
                }
            }
        }
        for (Address address : wanted) {
            if (!connected.containsKey(address) && beingReached.add(address)) {
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
                }
            }
        } catch (IOException e) {
            LOG.info("worker {}:{} is not reached: {}", address.host(), address.port(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            done(address);
        }
    }

    /** Who could not be reached is tried again at the next look, not at once. */
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
