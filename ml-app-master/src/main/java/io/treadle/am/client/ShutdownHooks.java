// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs something, at least once, when the process is told to end. */
interface ShutdownHooks {
    Logger LOG = LoggerFactory.getLogger(ShutdownHooks.class);

    /** Takes the hook away when closed. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    Registration add(Runnable hook);

    /**
     * Hadoop's own, which run before its file systems are closed. One that comes when the process already ends, whose
     * other threads go on until then, runs at once.
     */
    static ShutdownHooks hadoop() {
        int beforeFileSystems = 50;
        return hook -> {
            ShutdownHookManager manager = ShutdownHookManager.get();
            try {
                manager.addShutdownHook(hook, beforeFileSystems);
            } catch (IllegalStateException e) {
                LOG.debug("the process is ending already", e);
            }
            if (manager.isShutdownInProgress()) {
                // Hadoop has its list of hooks by now, maybe without this one. To run twice does no harm.
                hook.run();
                return () -> {};
            }
            return () -> {
                if (!manager.isShutdownInProgress()) {
                    manager.removeShutdownHook(hook);
                }
            };
        };
    }
}
