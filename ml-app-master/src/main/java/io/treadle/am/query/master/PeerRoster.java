// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Message.Peer;
import io.treadle.am.query.wire.Message.Peers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes each worker of the master's an ingress of its own, and tells all of them who the others are. */
public final class PeerRoster {
    private final ServiceDesk desk;
    private final String spec;
    private final Map<String, String> users;
    /** What each was told last. */
    private final Map<ConnectedWorker, Optional<Peers>> told = new HashMap<>();

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
        List<Peer> chosen = told.keySet().stream()
                .filter(ConnectedWorker::isChosen)
                .map(ConnectedWorker::peer)
                .toList();
        desk.others(addresses(chosen));
        told.replaceAll((worker, before) -> {
            Peers now = new Peers(chosen, !worker.isChosen());
            if (before.isEmpty()) {
                worker.send(desk.opening(spec, users));
            }
            if (before.isEmpty() || !isSame(before.get(), now)) {
                worker.send(now);
            }
            return Optional.of(now);
        });
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
