// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.wire.SleepingNodesRecord;
import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.sleep.SleepingHost.Stage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes idle hosts out of YARN, one after the other: it is chosen, that is written down, and if it still holds nothing then
 * it is drained. The next one is chosen when the command has switched it off.
 */
final class Drains {
    private static final Logger LOG = LoggerFactory.getLogger(Drains.class);
    /** ZooKeeper takes a moment, ms. */
    private static final long WRITTEN_MS = 10_000;
    /** No host is named so. */
    private static final String UNWRITTEN = " unwritten";

    private final PowerOffSettings settings;
    private final YarnNodes yarn;
    private final SleepTable table;
    private final IdleHosts idle;
    private final SleepRecords records;
    private final HostPeaks peaks;
    private final Troubles troubles;

    Drains(
            PowerOffSettings settings,
            YarnNodes yarn,
            SleepTable table,
            IdleHosts idle,
            SleepRecords records,
            HostPeaks peaks,
            Troubles troubles) {
        this.settings = settings;
        this.yarn = yarn;
        this.table = table;
        this.idle = idle;
        this.records = records;
        this.peaks = peaks;
        this.troubles = troubles;
    }

    /** @param needed nodes that something waits for */
    void goOn(Set<String> needed, boolean mayChoose, long nowMs) {
        // Commands take their time: what has been seen before them is old.
        Map<String, HostSight> on = table.on(HostSight.byName(yarn.nodes()));
        Optional<String> chosen = table.first(Stage.CHOSEN);
        if (chosen.isPresent()) {
            drain(chosen.get(), on, needed, nowMs);
        } else if (mayChoose && table.first(Stage.DRAINING).isEmpty()) {
            idle.longEnough(on.values(), needed, nowMs).stream()
                    .filter(host -> table.find(host).isEmpty() && !yarn.isExcluded(host))
                    .findFirst()
                    .ifPresent(host -> choose(host, on, nowMs));
        }
    }

    /** Somebody needs the room: nobody is to go. */
    void stop() {
        table.first(Stage.CHOSEN).ifPresent(this::giveUp);
    }

    private void choose(String name, Map<String, HostSight> on, long nowMs) {
        HostSight host = on.get(name);
        if (host != null) {
            table.put(name, SleepingHost.chosen(host, peaks.peakWatts(name).orElse(0), nowMs));
        }
    }

    private void drain(String name, Map<String, HostSight> on, Set<String> needed, long nowMs) {
        HostSight sight = on.get(name);
        SleepingHost host = table.find(name).orElseThrow();
        boolean mayGo = idle.longEnough(on.values(), needed, nowMs).contains(name);
        if (sight == null || !mayGo || !sight.kind().equals(host.kind()) || yarn.isExcluded(name)) {
            giveUp(name);
        } else if (isWritten(name)) {
            troubles.over(UNWRITTEN);
            LOG.info("Node {} has held nothing for {}: it is taken out and switched off", name, settings.idle());
            table.put(name, host.draining(sight.ids(), nowMs));
            sight.ids().forEach(yarn::drain);
        } else if (nowMs - host.sinceMs() > WRITTEN_MS) {
            troubles.tell(
                    UNWRITTEN,
                    records.trouble()
                            .orElse("ZooKeeper is away, and which nodes are off cannot be written to " + records.place()
                                    + ": no node is switched off until it can."));
        }
    }

    private void giveUp(String name) {
        table.remove(name);
        troubles.over(UNWRITTEN);
    }

    private boolean isWritten(String name) {
        // An entry from when it was off before says another thing.
        return records.standing()
                .map(record -> record.hosts().get(name))
                .filter(host -> host.stage() == SleepingNodesRecord.Stage.DRAINING)
                .isPresent();
    }
}
