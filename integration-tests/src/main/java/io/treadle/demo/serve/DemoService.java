// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.client.JobStatus;
import io.treadle.am.client.MasterStatus;
import io.treadle.am.client.ServiceAddress;
import io.treadle.am.client.TreadleClient;
import io.treadle.demo.DemoException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A service on the cluster, submitted as any user would. */
final class DemoService {
    private static final int SECRET_BYTES = 24;
    private static final long READY_SECONDS = 180;
    private static final long POLL_MS = 250;

    private final TreadleClient client;
    private final ApplicationId id;

    private DemoService(TreadleClient client, ApplicationId id) {
        this.client = client;
        this.id = id;
    }

    static DemoService submit(TreadleClient client, Path file) {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        // Its only user: whoever can read the staging directory asks as that one.
        return new DemoService(
                client, client.serve(file, "{\"demo\":\"" + HexFormat.of().formatHex(secret) + "\"}"));
    }

    ApplicationId id() {
        return id;
    }

    /** @throws DemoException if it ends before, or takes far too long */
    void awaitReady(int workers) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (true) {
            JobStatus status = client.status(id);
            if (status.isOver()) {
                throw new DemoException("service " + id + " has ended: " + status.diagnostics());
            }
            ServeFigures figures = figures(status.master());
            if (figures.state().equals("ready") && figures.ready() >= workers) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new DemoException("service " + id + " is not ready after " + READY_SECONDS + " s: "
                        + figures.ready() + " of " + workers + " workers, " + status.diagnostics()
                        + "\nMaybe the machine is busy with something else.");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    ServiceAddress address() {
        return client.service(id);
    }

    static URI uri(ServiceAddress address) {
        return URI.create("http://" + address.host() + ":" + address.port());
    }

    /** What it says just now; nothing where it does not answer. */
    ServeFigures glance() {
        return figures(client.status(id).master());
    }

    /** As {@link #glance}, but where it does not answer it is asked again. */
    ServeFigures figures() throws InterruptedException {
        return figures(MasterWords.of(client, id));
    }

    private static ServeFigures figures(Optional<MasterStatus> said) {
        return ServeFigures.parse(said.map(MasterStatus::json).orElse("{}"));
    }

    void kill() {
        client.kill(id);
    }
}
