// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.ArrayList;
import java.util.List;

/** Keeps what would run at the end of the process, so that a test can let the process "end" at any point. */
final class FakeHooks implements ShutdownHooks {
    final List<Runnable> hooks = new ArrayList<>();

    @Override
    public Registration add(Runnable hook) {
        hooks.add(hook);
        return () -> hooks.remove(hook);
    }

    void processEnds() {
        List.copyOf(hooks).forEach(Runnable::run);
    }
}
