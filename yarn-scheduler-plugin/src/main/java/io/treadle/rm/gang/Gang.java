// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.gang;

import io.treadle.core.wire.GangSpec;
import java.util.OptionalLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A job with task groups, from its submission to its end. */
public final class Gang {
    private final ApplicationId id;
    private final GangSpec spec;
    private final String user;
    private final String name;
    private final long submitMs;
    private final Delivery delivery = new Delivery();

    private volatile String queue;
    private volatile String partition;
    private volatile boolean asked;
    private volatile Explained explained =
            new Explained(State.ACCEPTED, "waits for its ApplicationMaster", OptionalLong.empty());

    private record Explained(State state, String reason, OptionalLong startMs) {}

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
        this.queue = queue;
        this.partition = partition;
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
        return queue;
    }

    /** Node label of the nodes that it asks for; empty for nodes without one. */
    public String partition() {
        return partition;
    }

    /** The application was moved to another queue. */
    public void moved(String newQueue) {
        queue = newQueue;
    }

    /** Its tasks are for nodes of this label. Only for the planner thread. */
    public void asksFor(String label) {
        partition = label;
        asked = true;
    }

    /** It has yet to ask, and if it names no label its tasks will be for nodes of this one. Only for the planner thread. */
    public void mayAskFor(String label) {
        partition = label;
    }

    /** Whether the label of its tasks is known from what it asked for. */
    public boolean hasAsked() {
        return asked;
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

    /** What stands between its members and its ApplicationMaster, which never sees part of a gang. */
    public Delivery delivery() {
        return delivery;
    }

    public String reason() {
        return explained.reason();
    }

    public State state() {
        return explained.state();
    }

    /** When it starts if nothing else comes, ms since the epoch; empty where nobody knows, and where it has started. */
    public OptionalLong startMs() {
        return explained.startMs();
    }

    public void explain(State newState, String newReason) {
        explain(newState, newReason, OptionalLong.empty());
    }

    /** @param startMs when it starts if nothing else comes, ms since the epoch */
    public void explain(State newState, String newReason, OptionalLong startMs) {
        explained = new Explained(newState, newReason, startMs);
    }
}
