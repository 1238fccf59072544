// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.sleep.SleepingHost.Stage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches hosts of the table, and bears with commands that fail. */
final class HostSwitch {
    private static final Logger LOG = LoggerFactory.getLogger(HostSwitch.class);
    /** No host is named so. One command that cannot switch off must not take out one host after the other. */
    private static final String OFF = " off";
    /** A NodeManager takes its time to stop; one that is started meanwhile finds its ports taken and ends, ms. */
    private static final long STOPS_MS = 30_000;

    private final PowerOffSettings settings;
    private final Switch hook;
    private final SleepTable table;
    private final Pauses pauses;
    private final Troubles troubles;
    /** By host, when the command has switched it off, ms. */
    private final Map<String, Long> offMs = new HashMap<>();

    HostSwitch(PowerOffSettings settings, Switch hook, SleepTable table, Pauses pauses, Troubles troubles) {
        this.settings = settings;
        this.hook = hook;
        this.table = table;
        this.pauses = pauses;
        this.troubles = troubles;
    }

    /** Whether another host may be taken out: not for a while after a command has failed to switch one off. */
    boolean mayGoOff(long nowMs) {
        return pauses.isOver(OFF, nowMs);
    }

    /**
     * Whether the command may be called for the host: not for a while after it has failed, or while its NodeManagers stop or
     * the machine does, which then hears nothing.
     */
    boolean mayComeOn(String name, SleepingHost host, long nowMs) {
        boolean stops = host.mustReturn() && !host.unreachable() && nowMs - host.sinceMs() < STOPS_MS;
        return !stops && !goesDown(name, nowMs) && pauses.isOver(name, nowMs);
    }

    /** Whether the machine was just switched off: it takes a while, and its NodeManager may even register meanwhile. */
    boolean goesDown(String name, long nowMs) {
        Long switchedMs = offMs.get(name);
        return switchedMs != null && nowMs - switchedMs < settings.wake().toMillis() / 2;
    }

    void on(String name, SleepingHost host, long nowMs) throws InterruptedException {
        LOG.info("Node {} is switched on", name);
        try {
            hook.turn(true, name);
            table.put(name, host.to(Stage.WAKING, nowMs));
        } catch (IOException e) {
            pauses.failed(name, nowMs);
            table.put(name, host.unreached(nowMs));
            troubles.tell(
                    name,
                    "Node " + name + " cannot be switched on and is not counted on: " + e.getMessage()
                            + ". Maybe switch it on and start its NodeManager by hand.");
        }
    }

    /** @param host that YARN has taken out: its NodeManagers have been told to stop */
    void off(String name, SleepingHost host, long nowMs) throws InterruptedException {
        try {
            hook.turn(false, name);
            table.put(name, host.to(Stage.OFF, nowMs));
            offMs.put(name, nowMs);
            pauses.worked(OFF);
            troubles.over(OFF);
            LOG.info("Node {} is off", name);
        } catch (IOException e) {
            long pauseMs = pauses.failed(OFF, nowMs);
            table.put(name, host.askedBack(nowMs));
            troubles.tell(
                    OFF,
                    "Node " + name + " cannot be switched off: " + e.getMessage()
                            + ". YARN has stopped its NodeManager: it is asked back with 'on', and no node is switched off for "
                            + pauseMs / 1000 + " s.");
        }
    }
}
