// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.gang;

import io.treadle.core.wire.GangSpec;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A job with task groups, from its submission to its end. */
public final class Gang {
    private final ApplicationId id;
    private final GangSpec spec;
    private final String user;
    private final String name;
    private final long submitMs;
    /** Held while members are committed and while the AM is answered, so that an AM never sees part of a gang. */
    private final ReentrantLock delivery = new ReentrantLock();

    private volatile Place place;
    private volatile String reason = "waits for its ApplicationMaster";
    private volatile State state = State.ACCEPTED;

    private record Place(String queue, String partition) {}

    /** What an admin sees of a job. */
    public enum State {
        /** Its ApplicationMaster has not asked yet. */
        ACCEPTED,
        WAITING,
        RUNNING
    }

    public Gang(
            ApplicationId id, GangSpec spec, String queue, String partition, String user, String name, long submitMs) {
        this.id = id;
        this.spec = spec;
        this.place = new Place(queue, partition);
        this.user = user;
        this.name = name;
        this.submitMs = submitMs;
    }

    public ApplicationId id() {
        return id;
    }

    public GangSpec spec() {
        return spec;
    }

    /** Full path of its leaf queue. */
    public String queue() {
        return place.queue();
    }

    /** Node label of the nodes that it may use; empty for nodes without one. */
    public String partition() {
        return place.partition();
    }

    /** The application was moved to another queue. */
    public void moved(String newQueue, String newPartition) {
        place = new Place(newQueue, newPartition);
    }

    public String user() {
        return user;
    }

    public String name() {
        return name;
    }

    public long submitMs() {
        return submitMs;
    }

    public ReentrantLock delivery() {
        return delivery;
    }

    public String reason() {
        return reason;
    }

    public State state() {
        return state;
    }

    public void explain(State newState, String newReason) {
        state = newState;
        reason = newReason;
    }
}
