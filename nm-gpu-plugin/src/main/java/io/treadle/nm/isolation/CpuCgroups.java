// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import io.treadle.nm.conf.NodeConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CPU cgroups of our own, one a container, where a vcore stands for a set share of a real core and the executor makes
 * none. The runner in the container moves the user's command into it. Works on cgroup v1 and v2. Safe for several
 * threads: the kernel orders writes, and the set of leftovers is guarded.
 */
public final class CpuCgroups {
    private static final Logger LOG = LoggerFactory.getLogger(CpuCgroups.class);
    private static final double USUAL_PERIOD_MICROS = 100_000;
    /**
     * The kernel hands a quota out to cores in slices of 5 ms, and a core keeps what it cannot use for a while: of a quota
     * of 6 ms a sixth, and another part in each period. A worker at 2.5 % of a core had 84 % of it in periods of one slice,
     * 87 % of two, and 95 % of three or four.
     */
    private static final double FOUR_SLICES_MICROS = 20_000;
    /** The kernel takes no longer period. */
    private static final double LONGEST_PERIOD_MICROS = 1_000_000;
    /** The kernel refuses less. */
    private static final long LEAST_QUOTA_MICROS = 1_000;
    /** The most that the kernel takes, v2 and v1. */
    private static final String HIGHEST_WEIGHT = "10000";

    private static final String HIGHEST_SHARES = "262144";

    private static final List<Path> USUAL_ROOTS =
            List.of(Path.of("/sys/fs/cgroup/cpu"), Path.of("/sys/fs/cgroup/cpu,cpuacct"), Path.of("/sys/fs/cgroup"));

    private final Path root;
    private final Path treadle;
    private final Path directory;
    private final boolean unified;
    private final double vcoreCores;
    private final Set<Path> leftovers = new HashSet<>();

    private CpuCgroups(Path root, String node, boolean unified, double vcoreCores) {
        this.root = root;
        this.treadle = root.resolve("treadle");
        this.directory = treadle.resolve(node);
        this.unified = unified;
        this.vcoreCores = vcoreCores;
    }

    /** Empty where vcores are not limited by us, or where this process may not make cgroups; the latter is logged. */
    public static Optional<CpuCgroups> open(NodeConf conf) {
        if (conf.vcoreCores() == 0) {
            return Optional.empty();
        }
        for (Path root : conf.cgroupRoot().map(List::of).orElse(USUAL_ROOTS)) {
            boolean unified = Files.exists(root.resolve("cgroup.controllers"));
            if (!unified && !Files.exists(root.resolve("cpu.shares"))) {
                continue;
            }
            CpuCgroups cgroups = new CpuCgroups(root, conf.nodeName(), unified, conf.vcoreCores());
            try {
                cgroups.makeLevels();
                LOG.info(
                        "CPU cgroups: {} (v{}), 1 vcore = {} cores",
                        cgroups.directory,
                        unified ? 2 : 1,
                        conf.vcoreCores());
                return Optional.of(cgroups);
            } catch (IOException e) {
                LOG.info("CPU cgroups: not permitted at {} ({}); workers pace themselves", root, e.toString());
                return Optional.empty();
            }
        }
        LOG.info("CPU cgroups: no writable CPU controller found; workers pace themselves");
        return Optional.empty();
    }

    /** Makes or resizes the container's cgroup. Empty, and logged, where that fails. */
    public Optional<Path> limit(String container, long vcores) {
        Path cgroup = directory.resolve(container);
        long period = periodMicros(vcores);
        long quota = quotaMicros(vcores);
        try {
            if (!Files.exists(directory)) {
                makeLevels(); // A NodeManager of the same name on this machine has stopped.
            }
            Files.createDirectories(cgroup);
            if (unified) {
                Files.writeString(cgroup.resolve("cpu.max"), quota + " " + period);
            } else {
                Files.writeString(cgroup.resolve("cpu.cfs_period_us"), Long.toString(period));
                Files.writeString(cgroup.resolve("cpu.cfs_quota_us"), Long.toString(quota));
            }
            return Optional.of(cgroup);
        } catch (IOException e) {
            LOG.warn("cannot limit {} to {} vcores in {}: {}", container, vcores, cgroup, e.toString());
            return Optional.empty();
        }
    }

    /** Period for a number of vcores, µs. */
    private long periodMicros(long vcores) {
        double period = Math.max(USUAL_PERIOD_MICROS, FOUR_SLICES_MICROS / (vcores * vcoreCores));
        return Math.round(Math.min(LONGEST_PERIOD_MICROS, period));
    }

    /** Quota for a number of vcores, µs of each period. */
    long quotaMicros(long vcores) {
        return Math.max(LEAST_QUOTA_MICROS, Math.round(vcores * vcoreCores * periodMicros(vcores)));
    }

    /** Removes the container's cgroup; where processes are still dying in it, a later {@link #retry} does. */
    public synchronized void remove(String container) {
        remove(directory.resolve(container));
    }

    /** Tries again to remove what could not be removed before. */
    public synchronized void retry() {
        List.copyOf(leftovers).forEach(this::remove);
    }

    /** Removes our own levels when the NodeManager stops; they stay where containers run on. */
    public synchronized void close() {
        retry();
        try {
            Files.deleteIfExists(directory);
            Files.deleteIfExists(treadle);
        } catch (IOException e) {
            LOG.debug("{} stays: containers, or those of other nodes, are in it", directory);
        }
    }

    private void makeLevels() throws IOException {
        Files.createDirectories(directory);
        if (unified) {
            for (Path level : List.of(root, treadle, directory)) {
                delegateCpu(level.resolve("cgroup.subtree_control"));
            }
        }
        for (Path level : List.of(treadle, directory)) {
            favour(level);
        }
    }

    /** The root's file is not ours to write where an administrator has given us a part of the tree. */
    private static void delegateCpu(Path control) throws IOException {
        boolean isThere = Files.exists(control)
                && List.of(Files.readString(control).strip().split("\\s+")).contains("cpu");
        if (!isThere) {
            Files.writeString(control, "+cpu");
        }
    }

    /**
     * To the kernel a cgroup is one competitor beside each single thread outside: all workers together would get less
     * than their vcores stand for as soon as a few other threads are busy. Their quotas bound them already.
     */
    private void favour(Path level) throws IOException {
        Path weight = level.resolve(unified ? "cpu.weight" : "cpu.shares");
        if (Files.exists(weight)) {
            Files.writeString(weight, unified ? HIGHEST_WEIGHT : HIGHEST_SHARES);
        }
    }

    private void remove(Path cgroup) {
        try {
            Files.delete(cgroup);
            leftovers.remove(cgroup);
        } catch (NoSuchFileException e) {
            leftovers.remove(cgroup);
        } catch (IOException e) {
            if (leftovers.add(cgroup)) {
                LOG.info("CPU cgroup {} is still in use; removing it later", cgroup);
            }
        }
    }
}
