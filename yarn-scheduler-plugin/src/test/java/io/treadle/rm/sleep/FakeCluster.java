// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.SleepingNodesRecord;
import io.treadle.rm.conf.PowerOffSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** YARN, a command and ZooKeeper as a test wants them. Hosts of 8 GPUs; idle for 300 s they go, but for one. */
final class FakeCluster implements YarnNodes, SleepRecords, HostPeaks {
    static final ResourceVector EIGHT = ResourceVector.of(8, 64, 65_536);
    static final PowerOffSettings SETTINGS =
            new PowerOffSettings(Optional.empty(), Duration.ofMinutes(5), 1, Duration.ofMinutes(2));

    final Map<String, NodeSight> yarn = new TreeMap<>();
    final Set<String> decommissioned = new HashSet<>();
    final Set<String> excluded = new HashSet<>();
    final List<String> done = new ArrayList<>();
    List<Need> needs = List.of();
    /** Whether a queue takes reservations. */
    boolean isPromised;

    /** Whether a limit on power may be what holds them up. */
    boolean isLimited;

    /** What the command refuses. */
    String refuses = "nothing";
    /** What happens while YARN is looked at for the second time in a step. */
    Runnable beforeDrain = () -> {};

    boolean writes = true;
    Optional<SleepingNodesRecord> standing = Optional.of(SleepingNodesRecord.EMPTY);
    Map<String, Double> peaks = Map.of();
    final NodeSleep sleep;
    private int looks;
    private final Map<String, Integer> ports = new HashMap<>();

    FakeCluster() {
        this(1);
    }

    /** @param spare idle hosts of a kind that stay on */
    FakeCluster(int spare) {
        sleep = new NodeSleep(
                new PowerOffSettings(SETTINGS.command(), SETTINGS.idle(), spare, SETTINGS.wake()),
                this,
                this::turn,
                this,
                this);
    }

    private void turn(boolean on, String host) throws IOException {
        String what = (on ? "on " : "off ") + host;
        done.add(what);
        if (what.startsWith(refuses)) {
            throw new IOException("'" + what + "' ended with 3: no such machine");
        }
    }

    private String id(String host) {
        return host + ":" + (40_000 + ports.getOrDefault(host, 0));
    }

    void put(String id, boolean empty, NodeSight.Stage stage) {
        String host = id.substring(0, id.indexOf(':'));
        yarn.put(id, new NodeSight(id, host, "", EIGHT, empty ? EIGHT : ResourceVector.ZERO, empty, stage));
    }

    void running(String... hosts) {
        for (String host : hosts) {
            put(id(host), true, NodeSight.Stage.RUNNING);
        }
    }

    void busy(String host) {
        put(id(host), false, NodeSight.Stage.RUNNING);
    }

    void draining(String host, boolean empty) {
        put(id(host), empty, NodeSight.Stage.DRAINING);
    }

    /** YARN has taken it out; it comes back on another port. */
    void out(String host) {
        yarn.remove(id(host));
        decommissioned.add(id(host));
        ports.merge(host, 1, Integer::sum);
    }

    void lost(String host) {
        yarn.remove(id(host));
    }

    void at(long seconds) throws InterruptedException {
        looks = 0;
        sleep.step(1000 * seconds);
    }

    /** It was drained before and is taken out and switched off now; takes two seconds. */
    void goesOff(String host, long seconds) throws InterruptedException {
        draining(host, true);
        at(seconds);
        out(host);
        at(seconds + 1);
    }

    /** Steps at this second and the next: chosen and written, then drained. */
    void chosenAndDrained(long seconds) throws InterruptedException {
        at(seconds);
        at(seconds + 1);
    }

    List<String> states() {
        return sleep.states().stream().map(s -> s.node() + " " + s.stage()).toList();
    }

    static Need need(long gpus, long count) {
        return new Need("", ResourceVector.of(gpus, 1, 1), count, false);
    }

    @Override
    public List<NodeSight> nodes() {
        if (++looks == 2) {
            beforeDrain.run();
        }
        return List.copyOf(yarn.values());
    }

    @Override
    public Waiting waiting(Collection<NodeKind> off) {
        Set<String> partitions = needs.isEmpty() ? Set.of() : Set.of("");
        return new Waiting(needs, isLimited ? Set.of() : partitions, partitions);
    }

    @Override
    public boolean promisesRoom() {
        return isPromised;
    }

    @Override
    public boolean isExcluded(String host) {
        return excluded.contains(host);
    }

    @Override
    public boolean isDecommissioned(String node) {
        return decommissioned.contains(node);
    }

    @Override
    public void drain(String node) {
        done.add("drain " + node);
    }

    @Override
    public void keep(String node) {
        done.add("keep " + node);
    }

    @Override
    public void read() {}

    @Override
    public void keep(SleepingNodesRecord record) {
        if (writes) {
            standing = Optional.of(record);
        }
    }

    @Override
    public Optional<SleepingNodesRecord> standing() {
        return standing;
    }

    @Override
    public Optional<String> trouble() {
        return Optional.empty();
    }

    @Override
    public String place() {
        return "/sleeping";
    }

    @Override
    public OptionalDouble peakWatts(String host) {
        return OptionalDouble.of(3600);
    }

    @Override
    public void asleep(Map<String, Double> watts) {
        peaks = watts;
    }
}
