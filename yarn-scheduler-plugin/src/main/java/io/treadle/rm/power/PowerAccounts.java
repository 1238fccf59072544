// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.NodeRecord;
import java.time.InstantSource;

/** Meters and counts every record of a node that comes. */
public final class PowerAccounts implements NodeRecords {
    private final PowerMeter meter;
    private final EnergyLedger ledger;
    private final InstantSource clock;

    public PowerAccounts(Owners owners, InstantSource clock) {
        meter = new PowerMeter(owners);
        ledger = new EnergyLedger(owners);
        this.clock = clock;
    }

    @Override
    public void seen(String node, NodeRecord record) {
        meter.seen(node, record, clock.millis());
        record.power().ifPresent(power -> ledger.count(node, power));
    }

    @Override
    public void gone(String node) {
        meter.gone(node);
        ledger.gone(node);
    }

    /** What is drawn now. */
    public ClusterDraw draw() {
        return meter.draw(clock.millis());
    }

    PowerMeter meter() {
        return meter;
    }

    EnergyLedger ledger() {
        return ledger;
    }
}
