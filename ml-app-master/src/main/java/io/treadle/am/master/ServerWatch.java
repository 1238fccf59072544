// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.ServerObservation;
import io.treadle.am.profile.ServerProfiler;
import io.treadle.am.profile.ServerSettings;
import io.treadle.am.spec.JobSpec;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.model.ps.PsSizes;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileServers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches how fast the job is with so many workers and parameter servers. Guarded by the {@link JobMaster}. */
final class ServerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ServerWatch.class);

    /** Names of the groups that are scaled (see the policies of workers and servers). */
    private static final String WORKER = "worker";

    private static final String SERVER = "ps";

    private final int workers;
    private final int servers;
    private final ServerProfiler profiler;
    private String told = "";

    private ServerWatch(int workers, int servers, ServerProfiler profiler) {
        this.workers = workers;
        this.servers = servers;
        this.profiler = profiler;
    }

    /** @param seconds how long a size is measured at least */
    static ServerWatch of(JobSpec spec, double seconds) {
        int workers = group(spec, WORKER);
        int servers = group(spec, SERVER);
        PsSizes sizes = workers < 0 || servers < 0
                ? new PsSizes(new PsSize(1, 1), new PsSize(1, 1), Set.of())
                : sizes(spec, spec.groups().get(workers), spec.groups().get(servers));
        boolean probes = spec.profiling().enabled() && spec.totalSamples() > 0;
        return new ServerWatch(
                workers,
                servers,
                new ServerProfiler(new ServerSettings(probes, spec.profiling().updates(), sizes, seconds)));
    }

    private static int group(JobSpec spec, String name) {
        return IntStream.range(0, spec.groups().size())
                .filter(g -> spec.groups().get(g).name().equals(name))
                .findFirst()
                .orElse(-1);
    }

    private static PsSizes sizes(JobSpec spec, JobSpec.TaskGroup worker, JobSpec.TaskGroup server) {
        PsSizes bounds = new PsSizes(
                new PsSize(Math.max(1, worker.min()), Math.max(1, server.min())),
                new PsSize(Math.max(1, worker.count()), Math.max(1, server.count())),
                Set.of());
        return bounds.without(size -> !fits(spec, worker, server, size));
    }

    /** Whether the job's cap allows so many. */
    private static boolean fits(JobSpec spec, JobSpec.TaskGroup worker, JobSpec.TaskGroup server, PsSize size) {
        ResourceVector cap = spec.sizing().cap();
        ResourceVector all = ResourceVector.ZERO;
        for (JobSpec.TaskGroup group : spec.groups()) {
            int count = group.equals(worker) ? size.workers() : group.equals(server) ? size.servers() : group.min();
            all = all.plus(group.resources().times(count));
        }
        return all.where(cap).fitsIn(cap);
    }

    /** What another ApplicationMaster has found out. */
    void know(Optional<ProfileServers> found) {
        profiler.know(found);
    }

    /** @param running whether all train as they will go on */
    void observe(Gang gang, boolean running, int start, double now) {
        if (workers < 0 || servers < 0) {
            return;
        }
        // What is being joined or left is no size yet.
        List<Member> working = members(gang, workers, start);
        int serving = members(gang, servers, start).size();
        Optional<PsSize> size =
                working.isEmpty() || serving == 0 ? Optional.empty() : Optional.of(new PsSize(working.size(), serving));
        long batch = working.stream()
                .mapToLong(m -> Math.max(0, m.batchSize) * Math.max(1, m.passes))
                .sum();
        profiler.observe(new ServerObservation(now, running, start, size, batch, JobViews.series(working)));
        if (!told.equals(profiler.describe())) {
            told = profiler.describe();
            LOG.info("workers and servers: {}", told.isEmpty() ? "measured" : told);
        }
    }

    private static List<Member> members(Gang gang, int group, int start) {
        return gang.membersOf(group).stream()
                .filter(m -> m.gangEpoch == start && !m.gone)
                .toList();
    }

    /** A task has failed; returns whether it was with a size that was only tried. */
    boolean failed() {
        return profiler.failed();
    }

    Optional<ProfileServers> profile() {
        return profiler.profile();
    }

    boolean takeChanged() {
        return profiler.takeChanged();
    }

    /** One line for people; empty where there is nothing to say. */
    String describe() {
        return profiler.describe();
    }
}
