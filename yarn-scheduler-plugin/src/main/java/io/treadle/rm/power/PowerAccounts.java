// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.sleep.HostPeaks;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalDouble;

/** Meters and counts every record of a node that comes. */
public final class PowerAccounts implements NodeRecords, HostPeaks {
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

    @Override
    public OptionalDouble peakWatts(String host) {
        return meter.peakWatts(host);
    }

    @Override
    public void asleep(Map<String, Double> peaks) {
        meter.asleep(peaks, clock.millis());
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
