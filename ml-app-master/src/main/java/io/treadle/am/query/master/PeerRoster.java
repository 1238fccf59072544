// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Message.Peer;
import io.treadle.am.query.wire.Message.Peers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Makes each worker of the master's an ingress of its own, and tells all of them who the others are. */
public final class PeerRoster {
    /** One that has not said by then where it answers does not hold up the others. */
    private static final long LISTENS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What a worker was told. */
    private record Told(long openedNanos, Optional<Peers> peers) {}

    private final ServiceDesk desk;
    private final String spec;
    private final Map<String, String> users;
    /** Empty for those that were told nothing yet. */
    private final Map<ConnectedWorker, Optional<Told>> told = new HashMap<>();

    /**
     * @param spec text of the specification
     * @param users their secrets, by name
     */
    public PeerRoster(ServiceDesk desk, String spec, Map<String, String> users) {
        this.desk = desk;
        this.spec = spec;
        this.users = Map.copyOf(users);
    }

    public synchronized void joined(ConnectedWorker worker) {
        told.put(worker, Optional.empty());
    }

    /** Tells what is new; call it often. While the master's own desk does not know yet what tasks take, nothing is. */
    public synchronized void tell() {
        told.keySet().removeIf(worker -> !worker.isConnected());
        if (!desk.isReady()) {
            return;
        }
        told.replaceAll((worker, before) -> before.isPresent() ? before : opened(worker));
        List<Peer> chosen = told.keySet().stream()
                .filter(ConnectedWorker::isChosen)
                .map(ConnectedWorker::peer)
                .toList();
        desk.others(addresses(chosen));
        if (isToBeHeardOf(chosen)) {
            // Else all of a new master's workers would hear first that none of the others answers.
            return;
        }
        told.replaceAll((worker, before) -> before.map(last -> told(worker, last, chosen)));
    }

    private Optional<Told> opened(ConnectedWorker worker) {
        worker.send(desk.opening(spec, users));
        return Optional.of(new Told(System.nanoTime(), Optional.empty()));
    }

    private boolean isToBeHeardOf(List<Peer> chosen) {
        long now = System.nanoTime();
        return chosen.stream().anyMatch(peer -> peer.ingress() == 0)
                && told.values().stream()
                        .flatMap(Optional::stream)
                        .anyMatch(last -> now - last.openedNanos() < LISTENS_NANOS);
    }

    private static Told told(ConnectedWorker worker, Told last, List<Peer> chosen) {
        Peers now = new Peers(chosen, !worker.isChosen());
        if (last.peers().filter(before -> isSame(before, now)).isEmpty()) {
            worker.send(now);
        }
        return new Told(last.openedNanos(), Optional.of(now));
    }

    private static boolean isSame(Peers one, Peers other) {
        return one.isLeaving() == other.isLeaving()
                && one.workers().size() == other.workers().size()
                && one.workers().containsAll(other.workers());
    }

    /** Where workers answer queries. */
    public static List<String> addresses(List<Peer> peers) {
        return peers.stream()
                .filter(peer -> peer.ingress() > 0)
                .map(peer -> "http://" + (peer.host().contains(":") ? "[" + peer.host() + "]" : peer.host()) + ":"
                        + peer.ingress())
                .sorted()
                .toList();
    }
}
