// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.GpuDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caps the node's GPUs as the ResourceManager wants, and gives them their own limits back: when no container holds them, when
 * nobody is heard, at the end, and after a crash. Used by one thread.
 */
public final class PowerCaps implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PowerCaps.class);
    private static final String JOURNAL = "power-journal.json";

    private final Map<String, CappedGpu> gpus = new LinkedHashMap<>();
    private final ActuatorChain chain;
    private final CapJournal journal;
    private final GpuLocks locks;
    private final CapLease lease;
    private boolean broken;

    PowerCaps(
            List<GpuDevice> devices,
            ActuatorChain chain,
            CapJournal journal,
            GpuLocks locks,
            CapLease lease,
            Clock clock,
            long changeIntervalMs) {
        this.chain = chain;
        this.journal = journal;
        this.locks = locks;
        this.lease = lease;
        devices.forEach(d -> gpus.put(d.uuid(), new CappedGpu(d, chain, journal, locks, clock, changeIntervalMs)));
    }

    /** With the actuator that the settings name. Nothing is set before {@link #start}. */
    public static PowerCaps open(NodeConf conf, DeviceProvider provider, CapLease lease, Clock clock) {
        return new PowerCaps(
                provider.devices(),
                new ActuatorChain(Actuators.of(conf, provider)),
                new CapJournal(journal(conf), BootId.current()),
                new GpuLocks(
                        conf.power().lockDir(),
                        "NodeManager " + conf.nodeName() + " (process "
                                + ProcessHandle.current().pid() + ")",
                        BootId.current()),
                lease,
                clock,
                conf.power().changeIntervalMs());
    }

    /** True where there is something to do: somebody to hear of caps from, or caps that were left. */
    public static boolean isNeeded(NodeConf conf) {
        return !conf.zooKeeper().isEmpty() || Files.exists(journal(conf));
    }

    private static Path journal(NodeConf conf) {
        return conf.controlDir().resolve(JOURNAL);
    }

    /** Restores what a NodeManager before has left capped, and finds out what may set limits here. */
    public void start() {
        try {
            recover(journal.open());
        } catch (IOException e) {
            broken = true;
            LOG.error(
                    "cannot open {}: {}. No GPU is capped, as its own limit could not be kept.\nMaybe mend it, then"
                            + " restart the NodeManager",
                    journal.file(),
                    e.toString());
            return;
        }
        gpus.values().forEach(gpu -> gpu.step(0, false));
        chain.tell();
    }

    private void recover(CapJournal.Found found) {
        if (found instanceof CapJournal.Left left) {
            Set<String> elsewhere = new TreeSet<>(left.limits().keySet());
            left.limits().forEach((uuid, milliwatts) -> {
                CappedGpu gpu = gpus.get(uuid);
                if (gpu != null) {
                    gpu.leftWith(milliwatts);
                    elsewhere.remove(uuid);
                }
            });
            LOG.warn(
                    "the NodeManager before was killed while GPUs were capped; own limits to restore, mW: {}{}",
                    left.limits(),
                    elsewhere.isEmpty()
                            ? ""
                            : "; not on this node now, kept until they are back or the machine starts anew: "
                                    + elsewhere);
        } else if (found instanceof CapJournal.OtherBoot other) {
            LOG.warn(
                    "{} is of before this machine started anew, which took all caps away; limits stay as they are. It"
                            + " held, mW: {}",
                    journal.file(),
                    other.limits());
        } else if (found instanceof CapJournal.Unreadable unreadable) {
            LOG.error(
                    "{}. It is kept as {}. GPUs whose limit is below their default get their default.\nMaybe set"
                            + " limits of your own again",
                    unreadable.why(),
                    unreadable.kept());
            gpus.values().forEach(CappedGpu::leftWithoutAnybodyKnowing);
        }
    }

    /**
     * Goes one step towards what is wanted.
     *
     * @param held UUIDs of the devices that containers hold
     * @param lost UUIDs of the devices that do not answer
     */
    public void follow(Set<String> held, Set<String> lost) {
        if (broken) {
            return;
        }
        Map<String, Double> wanted = lease.wanted();
        gpus.forEach(
                (uuid, gpu) -> gpu.step(held.contains(uuid) ? wanted.getOrDefault(uuid, 0.0) : 0, lost.contains(uuid)));
    }

    /** How each GPU's cap stands, by UUID. */
    public Map<String, CapState> states() {
        Map<String, CapState> states = new LinkedHashMap<>();
        gpus.forEach((uuid, gpu) -> states.put(
                uuid,
                broken ? new CapState(0, 0, ObserveActuator.NAME, journal.file() + " cannot be opened") : gpu.state()));
        return states;
    }

    /** Where each GPU's limit may be, by UUID. */
    public Map<String, CapRange> ranges() {
        Map<String, CapRange> ranges = new LinkedHashMap<>();
        gpus.forEach((uuid, gpu) -> ranges.put(uuid, gpu.range()));
        return ranges;
    }

    /** The devices with their own limits, where these are known and a cap is in force. */
    public List<GpuDevice> withOwnLimits(List<GpuDevice> devices) {
        return devices.stream()
                .map(device -> {
                    CappedGpu gpu = gpus.get(device.uuid());
                    double own = gpu == null ? 0 : gpu.range().ownWatts();
                    return own > 0
                            ? new GpuDevice(device.uuid(), device.index(), device.model(), device.memoryMiB(), own)
                            : device;
                })
                .toList();
    }

    /** Epoch of the caps that hold; 0 where none do. */
    public long epoch() {
        return lease.epoch();
    }

    /** Restores every GPU that is capped. */
    @Override
    public void close() {
        if (!broken) {
            gpus.forEach((uuid, gpu) -> {
                try {
                    gpu.end();
                } catch (RuntimeException e) {
                    LOG.error("restoring {} went wrong; the next start tries again", uuid, e);
                }
            });
        }
        chain.close();
        locks.close();
    }
}
