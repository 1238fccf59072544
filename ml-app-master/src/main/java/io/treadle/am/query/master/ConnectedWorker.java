// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Outbox;
import java.util.function.BooleanSupplier;

/** A worker of the desk's, to those who keep its container. */
public final class ConnectedWorker {
    private final QueryDesk desk;
    private final int number;
    private final WorkerHandle handle;
    private final BooleanSupplier isThere;
    private final Outbox outbox;

    /** @param isThere whether the desk still has it: another may get its number */
    ConnectedWorker(QueryDesk desk, int number, BooleanSupplier isThere, Outbox outbox) {
        this.desk = desk;
        this.number = number;
        this.handle = desk.worker(number);
        this.isThere = isThere;
        this.outbox = outbox;
    }

    /** With the port at which it answers queries, as far as it is known. */
    Message.Peer peer() {
        synchronized (desk) {
            return new Message.Peer(handle.host(), handle.port(), handle.ingress());
        }
    }

    /** Whether it gets what is new. */
    boolean isChosen() {
        synchronized (desk) {
            return handle.isChosen();
        }
    }

    void send(Message message) {
        outbox.send(Frame.of(message));
    }

    public boolean isConnected() {
        return isThere.getAsBoolean();
    }

    /** It gets nothing new from now on. */
    public void retire() {
        synchronized (desk) {
            handle.retire();
        }
    }

    /** It gets what is new, as before. */
    public void welcome() {
        synchronized (desk) {
            handle.welcome();
        }
    }

    /** Whether nothing that is on its way needs it, at this desk or, as far as can be told, at another. */
    public boolean isIdle() {
        synchronized (desk) {
            return !isConnected() || (isFree() && handle.isQuiet());
        }
    }

    /** Whether no query of this desk needs it. */
    public boolean isFree() {
        synchronized (desk) {
            return !isConnected() || desk.isFree(number);
        }
    }

    /** Whether it can load models; one that cannot fails fast, and would draw all that is new. */
    public boolean isFit() {
        synchronized (desk) {
            return handle.isFit();
        }
    }

    /** The desk loses it. */
    public void close() {
        outbox.close();
    }
}
