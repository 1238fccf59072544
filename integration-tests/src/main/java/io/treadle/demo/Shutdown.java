// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.EmbeddedCluster;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/** Stops the cluster at the end of the demo, or when it is told to end by Ctrl-C or a signal. */
public final class Shutdown implements AutoCloseable {
    /** Before Hadoop closes its file systems (10) and the client gives up its submissions. */
    private static final int PRIORITY = 90;

    private static final int SECONDS = 180;

    private final GatedScreen screen;
    private final Runnable hook = this::interrupted;
    private @Nullable EmbeddedCluster cluster;

    public Shutdown(GatedScreen screen) {
        this.screen = screen;
        ShutdownHookManager.get().addShutdownHook(hook, PRIORITY, SECONDS, TimeUnit.SECONDS);
    }

    /** From now on the cluster, which may still be starting, is stopped at the end. */
    public synchronized void owns(EmbeddedCluster starting) {
        cluster = starting;
    }

    private synchronized void interrupted() {
        screen.close();
        screen.lastLine("");
        screen.lastLine(" interrupted: stopping the cluster and every worker …");
        stop();
        screen.lastLine(" stopped; nothing is left running.");
    }

    private synchronized void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Override
    public void close() {
        ShutdownHookManager.get().removeShutdownHook(hook);
        stop();
    }
}
