// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.sleep.SleepingHost.Stage;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was begun with hosts goes on, by what YARN has of them. No command is called here. */
final class HostProgress {
    private static final Logger LOG = LoggerFactory.getLogger(HostProgress.class);
    /** YARN needs a moment to begin, ms. */
    private static final long BEGIN_MS = 30_000;
    /** An empty node is decommissioned at its next heartbeat. One that takes longer must not hold up the others, ms. */
    private static final long MOST_MS = 120_000;
    /** A heartbeat that crosses with a node being taken back may still decommission it, ms. */
    private static final long CROSS_MS = 5_000;

    private final PowerOffSettings settings;
    private final YarnNodes yarn;
    private final SleepTable table;
    private final Pauses pauses;
    private final Troubles troubles;
    private final HostSwitch commands;

    HostProgress(
            PowerOffSettings settings,
            YarnNodes yarn,
            SleepTable table,
            Pauses pauses,
            Troubles troubles,
            HostSwitch commands) {
        this.commands = commands;
        this.settings = settings;
        this.yarn = yarn;
        this.table = table;
        this.pauses = pauses;
        this.troubles = troubles;
    }

    void see(Map<String, HostSight> seen, long nowMs) {
        table.all().forEach((name, host) -> {
            HostSight sight = seen.get(name);
            switch (host.stage()) {
                case CHOSEN -> {}
                case DRAINING -> drained(name, host, sight, nowMs);
                case TAKEN_BACK -> takenBack(name, host, sight, nowMs);
                case OFF, WAKING -> returned(name, host, sight, nowMs);
            }
        });
    }

    /** Whether YARN has taken all of it out, so that it can be switched off. */
    boolean isOut(String name, SleepingHost host, Map<String, HostSight> seen) {
        return host.stage() == Stage.DRAINING && !seen.containsKey(name) && isGone(host);
    }

    private boolean isGone(SleepingHost host) {
        return host.ids().stream().allMatch(yarn::isDecommissioned);
    }

    private void drained(String name, SleepingHost host, @Nullable HostSight sight, long nowMs) {
        long sinceMs = nowMs - host.sinceMs();
        if (yarn.isExcluded(name)) {
            LOG.info("Node {} was excluded by the administrator while it was taken out: it is left alone", name);
            table.remove(name);
        } else if (sight == null) {
            // Between two of YARN's lists it is on neither for a moment.
            if (!isGone(host) && sinceMs > BEGIN_MS) {
                LOG.warn("Node {} was lost while it was taken out: it is left alone", name);
                table.remove(name);
            }
        } else if (isGone(host)) {
            LOG.warn("Node {} has registered anew before it was switched off: it stays on", name);
            table.remove(name);
        } else if (sight.count(NodeSight.Stage.DRAINING) == 0) {
            if (sinceMs > BEGIN_MS) {
                LOG.info("Node {} was not taken out, or taken in again by somebody: it is left alone", name);
                takeBack(name, host, sight, nowMs);
            }
        } else if (!sight.isEmpty()) {
            LOG.info("Node {} has got containers while it was taken out: it stays", name);
            takeBack(name, host, sight, nowMs);
        } else if (sinceMs > MOST_MS) {
            LOG.warn("Node {} holds nothing and is not decommissioned after {} s: it stays", name, MOST_MS / 1000);
            takeBack(name, host, sight, nowMs);
        }
    }

    /** A host that drains takes containers again. What of it has stopped already is asked back. */
    void takeBack(String name, SleepingHost host, HostSight sight, long nowMs) {
        // Also where YARN has not begun: it comes to that after it was asked to drain.
        sight.ids().stream().filter(host.ids()::contains).forEach(yarn::keep);
        table.put(name, host.to(Stage.TAKEN_BACK, nowMs));
    }

    private void takenBack(String name, SleepingHost host, @Nullable HostSight sight, long nowMs) {
        boolean isOver = nowMs - host.sinceMs() >= CROSS_MS;
        if (yarn.isExcluded(name)) {
            table.remove(name);
        } else if (host.ids().stream().anyMatch(yarn::isDecommissioned)) {
            LOG.info("Node {} was decommissioned when it was to stay: it is asked back", name);
            table.put(name, host.askedBack(nowMs));
        } else if (isOver && sight != null && sight.count(NodeSight.Stage.DRAINING) > 0) {
            takeBack(name, host, sight, nowMs);
        } else if (isOver) {
            table.remove(name);
        }
    }

    private void returned(String name, SleepingHost host, @Nullable HostSight sight, long nowMs) {
        boolean isLate = host.stage() == Stage.WAKING
                && nowMs - host.sinceMs() >= settings.wake().toMillis();
        int running = sight == null ? 0 : sight.count(NodeSight.Stage.RUNNING);
        boolean isWaitedFor = host.stage() == Stage.WAKING ? !isLate : host.mustReturn();
        if (!commands.goesDown(name, nowMs) && (running >= host.kind().size() || (running > 0 && !isWaitedFor))) {
            LOG.info("Node {} is on again", name);
            table.remove(name);
            pauses.worked(name);
            troubles.over(name);
        } else if (isLate) {
            table.put(name, host.unreached(nowMs));
            pauses.failed(name, nowMs);
            troubles.tell(
                    name,
                    "Node " + name + " has not come back in " + settings.wake().toSeconds()
                            + " s and is not counted on. Maybe switch it on and start its NodeManager by hand.");
        }
    }
}
