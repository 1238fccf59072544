// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.core.wire.NodeCaps;
import io.treadle.nm.FakeClock;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Caps of two GPUs, A and B, over actuators of the test's own. */
final class CapsFixture implements AutoCloseable {
    static final GpuDevice A = new GpuDevice("A", 0, "A100", 40960, 400);
    static final GpuDevice B = new GpuDevice("B", 1, "A100", 40960, 400);
    static final long LEASE_MS = 60_000;
    static final long INTERVAL_MS = 10_000;

    final FakeClock clock;
    final CapLease lease;
    final CapJournal journal;
    final ActuatorChain chain;
    final PowerCaps caps;
    private final GpuLocks locks;
    private long epoch;

    CapsFixture(Path directory, FakeClock clock, FakeActuator... actuators) {
        this(directory, "boot-1", "n1", clock, actuators);
    }

    CapsFixture(Path directory, String boot, String owner, FakeClock clock, FakeActuator... actuators) {
        this.clock = clock;
        this.lease = new CapLease(clock);
        this.journal = new CapJournal(directory.resolve(owner).resolve("journal.json"), boot);
        List<GpuPowerActuator> order = new ArrayList<>(List.of(actuators));
        order.add(new ObserveActuator(new Reader(actuators[0])));
        this.chain = new ActuatorChain(order);
        this.locks = new GpuLocks(directory.resolve("locks"), owner, boot);
        this.caps = new PowerCaps(List.of(A, B), chain, journal, locks, lease, clock, INTERVAL_MS);
    }

    CapsFixture started() {
        caps.start();
        return this;
    }

    /** The ResourceManager wants this from now on, and a container holds both GPUs. */
    CapState want(double wattsOfA) {
        epoch++;
        lease.offer(new NodeCaps(epoch, LEASE_MS, wattsOfA > 0 ? Map.of("A", wattsOfA) : Map.of()));
        return follow();
    }

    CapState follow() {
        return follow(Set.of("A", "B"), Set.of());
    }

    CapState follow(Set<String> held, Set<String> lost) {
        caps.follow(held, lost);
        return a();
    }

    CapState a() {
        return caps.states().getOrDefault("A", new CapState(0, 0, "", "absent"));
    }

    /** Ends as a killed process does: its locks go, and nothing else happens. */
    void kill() {
        locks.close();
    }

    @Override
    public void close() {
        caps.close();
    }

    /** Reads limits, as a driver lets everybody do. */
    private record Reader(FakeActuator gpus) implements DeviceProvider {
        @Override
        public String name() {
            return "reader";
        }

        @Override
        public List<GpuDevice> devices() {
            return List.of(A, B);
        }

        @Override
        public Map<String, DeviceReading> read(Set<String> held) {
            return Map.of();
        }

        @Override
        public PowerLimits limits(String uuid) throws PowerLimitException {
            return gpus.limits(uuid.equals("A") ? A : B);
        }
    }
}
