// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import java.util.function.BooleanSupplier;

/** A worker of the desk's, to those who keep its container. */
public final class ConnectedWorker {
    private final QueryDesk desk;
    private final int number;
    private final BooleanSupplier isThere;
    private final Runnable closing;

    /** @param isThere whether the desk still has it: another may get its number */
    ConnectedWorker(QueryDesk desk, int number, BooleanSupplier isThere, Runnable closing) {
        this.desk = desk;
        this.number = number;
        this.isThere = isThere;
        this.closing = closing;
    }

    public boolean isConnected() {
        return isThere.getAsBoolean();
    }

    /** It gets nothing new from now on. */
    public void retire() {
        synchronized (desk) {
            if (isConnected()) {
                desk.retire(number);
            }
        }
    }

    /** Whether nothing that is on its way needs it. */
    public boolean isIdle() {
        synchronized (desk) {
            return !isConnected() || desk.isIdle(number);
        }
    }

    /** Whether it can load models; one that cannot fails fast, and would draw all that is new. */
    public boolean isFit() {
        synchronized (desk) {
            return !isConnected() || desk.isFit(number);
        }
    }

    /** The desk loses it. */
    public void close() {
        closing.run();
    }
}
