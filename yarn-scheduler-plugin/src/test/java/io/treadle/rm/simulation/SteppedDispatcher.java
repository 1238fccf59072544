// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.yarn.event.DrainDispatcher;
import org.apache.hadoop.yarn.event.Event;

/** The ResourceManager's dispatcher without a thread: its events wait until somebody drains them. */
@SuppressWarnings("rawtypes") // As Hadoop declares its queue.
final class SteppedDispatcher extends DrainDispatcher {
    private final LinkedBlockingQueue<Event> waiting;

    SteppedDispatcher() {
        this(new LinkedBlockingQueue<>());
    }

    private SteppedDispatcher(LinkedBlockingQueue<Event> waiting) {
        super(waiting);
        this.waiting = waiting;
    }

    /** Starts no thread. */
    @Override
    protected void serviceStart() {}

    /** Handles all events, also those that come meanwhile. */
    @Override
    public void await() {
        for (Event event = waiting.poll(); event != null; event = waiting.poll()) {
            dispatch(event);
        }
    }
}
