// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.peer;

import io.treadle.am.query.ingress.Callers;
import io.treadle.am.query.ingress.IngressLimits;
import io.treadle.am.query.ingress.QueryIngress;
import io.treadle.am.query.master.PeerRoster;
import io.treadle.am.query.master.ServiceDesk;
import io.treadle.am.query.wire.Message.Answered;
import io.treadle.am.query.wire.Message.Open;
import io.treadle.am.query.wire.Message.Peers;
import io.treadle.am.query.worker.PeerHost;
import io.treadle.am.spec.ServiceSpecParser;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker's own ingress. It goes on while the master is away. */
public final class PeerIngress implements PeerHost {
    private static final Logger LOG = LoggerFactory.getLogger(PeerIngress.class);

    private record Running(
            Open opening, ServiceDesk desk, LeavingService service, QueryIngress ingress, PeerLinks links) {
        private boolean isSame(Open wanted) {
            // What tasks take it knows better by now.
            return opening.spec().equals(wanted.spec())
                    && opening.users().equals(wanted.users())
                    && opening.models().equals(wanted.models());
        }

        private void close() {
            ingress.close();
            links.close();
            desk.close();
        }
    }

    /** Tasks of all desks have their inputs and outputs in the same heap. */
    private static final double HEAP = 1.0 / 3;

    private final String name;
    private final String secret;
    private Optional<Running> running = Optional.empty();

    /**
     * @param name of its desk, which no other of the service has
     * @param secret that all workers of the service know
     */
    public PeerIngress(String name, String secret) {
        this.name = name;
        this.secret = secret;
    }

    @Override
    public synchronized int open(Open wanted) throws IOException {
        if (running.filter(each -> each.isSame(wanted)).isEmpty()) {
            close();
            running = Optional.of(opened(wanted));
        }
        return running.orElseThrow().ingress().port();
    }

    private Running opened(Open wanted) throws IOException {
        ServiceDesk desk = ServiceDesk.ofPeer(
                ServiceSpecParser.fromYaml(wanted.name() + ".yaml", wanted.spec()), secret, name, wanted);
        try {
            LeavingService service = new LeavingService(desk);
            QueryIngress ingress = QueryIngress.start(
                    new InetSocketAddress(0),
                    wanted.name(),
                    new Callers(wanted.users()),
                    IngressLimits.ofThisProcess(HEAP),
                    service);
            LOG.info("queries are answered at port {}", ingress.port());
            return new Running(wanted, desk, service, ingress, new PeerLinks(desk));
        } catch (IOException | RuntimeException e) {
            desk.close();
            throw e;
        }
    }

    @Override
    public synchronized void peers(Peers now) {
        running.ifPresent(each -> {
            each.service().leaves(now.isLeaving());
            each.desk().others(PeerRoster.addresses(now.workers()));
            each.links().want(now.workers());
        });
    }

    /** Some may have their answer, which is still being sent. */
    @Override
    public synchronized int active() {
        return running.map(each -> Math.max(each.desk().active(), each.ingress().active()))
                .orElse(0);
    }

    @Override
    public synchronized Optional<Answered> answered() {
        return running.map(each -> new Answered(active(), each.desk().tallies()));
    }

    @Override
    public synchronized void close() {
        running.ifPresent(Running::close);
        running = Optional.empty();
    }
}
