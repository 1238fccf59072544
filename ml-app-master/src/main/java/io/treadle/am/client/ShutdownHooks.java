// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import org.apache.hadoop.util.ShutdownHookManager;

/** Runs something when the process is told to end. */
interface ShutdownHooks {
    /** Takes the hook away when closed. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    Registration add(Runnable hook);

    /** Hadoop's own, which run before its file systems are closed. */
    static ShutdownHooks hadoop() {
        int beforeFileSystems = 50;
        return hook -> {
            ShutdownHookManager manager = ShutdownHookManager.get();
            if (manager.isShutdownInProgress()) {
                return () -> {};
            }
            manager.addShutdownHook(hook, beforeFileSystems);
            return () -> {
                if (!manager.isShutdownInProgress()) {
                    manager.removeShutdownHook(hook);
                }
            };
        };
    }
}
