// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.ServerNeed;
import io.treadle.am.profile.ServerObservation;
import io.treadle.am.profile.ServerProfiler;
import io.treadle.am.profile.ServerSettings;
import io.treadle.am.spec.JobSpec;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.model.ps.PsSizes;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
    /** Vcores that each server asks for. */
    private final long asked;

    private final ServerNeed need;
    /** Whether the job is to have other sizes than those that it asks for. */
    private final boolean resizes;

    private final ServersModel.Mode mode;
    /** What each server can use, as it was last published. */
    private OptionalLong published = OptionalLong.empty();
    /** The start of the gang whose servers were looked at last. */
    private int seenStart = -1;

    private String told = "";

    private ServerWatch(int workers, int servers, ServerProfiler profiler, long asked, JobSpec.Profiling profiling) {
        this.workers = workers;
        this.servers = servers;
        this.profiler = profiler;
        this.asked = asked;
        this.need = new ServerNeed(asked);
        this.resizes = profiling.enabled();
        this.mode = ServersModel.Mode.valueOf(profiling.updates().name());
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
                new ServerProfiler(new ServerSettings(probes, spec.profiling().updates(), sizes, seconds)),
                servers < 0 ? 0 : spec.groups().get(servers).resources().vcores(),
                spec.profiling());
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

    /** What an earlier job of the model has found out. */
    void know(Optional<ProfileServers> found) {
        profiler.know(found.map(known -> known.withVcores(OptionalLong.empty())));
    }

    /** What an earlier ApplicationMaster of this job has found out. */
    void resume(Optional<ProfileServers> found) {
        know(found);
        found.ifPresent(known -> need.resume(known.vcores()));
    }

    /** Whether servers have more than they ask for: the job may be faster than its numbers of tasks tell. */
    boolean haveMore(Gang gang) {
        return servers >= 0
                && gang.membersOf(servers).stream().anyMatch(m -> !m.gone && Math.max(m.vcores, m.vcoresSeen) > asked);
    }

    /** @param running whether all train as they will go on */
    void observe(Gang gang, boolean running, int start, double now) {
        if (workers < 0 || servers < 0) {
            return;
        }
        // What is being joined or left is no size yet.
        List<Member> working = members(gang, workers, start);
        List<Member> servingMembers = members(gang, servers, start);
        int serving = servingMembers.size();
        Optional<PsSize> size =
                working.isEmpty() || serving == 0 ? Optional.empty() : Optional.of(new PsSize(working.size(), serving));
        long batch = working.stream()
                .mapToLong(m -> Math.max(0, m.batchSize) * Math.max(1, m.passes))
                .sum();
        boolean asAsked = running && !haveMore(gang);
        profiler.observe(new ServerObservation(now, asAsked, start, size, batch, JobViews.series(working)));
        need(servingMembers, running, start, now);
        if (!told.equals(describe())) {
            told = describe();
            LOG.info("workers and servers: {}", told.isEmpty() ? "nothing is asked for any more" : told);
        }
    }

    private void need(List<Member> serving, boolean running, int start, double now) {
        boolean isMeasured = profiler.profile().flatMap(ProfileServers::next).isPresent();
        if (!resizes || isMeasured || (seenStart >= 0 && seenStart != start)) {
            need.forget();
        } else if (!running || serving.stream().anyMatch(m -> !m.cpu.isKnown())) {
            need.pause();
        } else {
            need.look(
                    now,
                    serving.stream()
                            .map(m -> new ServerNeed.Use(m.vcoresSeen, m.cpu.vcores()))
                            .toList());
        }
        seenStart = start;
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
        OptionalLong vcores = need.vcores();
        return vcores.isEmpty()
                ? profiler.profile()
                : profiler.profile()
                        .map(known -> known.withVcores(vcores))
                        .or(() -> Optional.of(ProfileServers.ofVcores(mode, vcores.getAsLong())));
    }

    boolean takeChanged() {
        boolean isNews = !published.equals(need.vcores());
        published = need.vcores();
        return profiler.takeChanged() || isNews;
    }

    /** One line for people; empty where there is nothing to say. */
    String describe() {
        return need.vcores().isPresent() && profiler.describe().isEmpty()
                ? "each server can use " + need.vcores().getAsLong() + " vcores and asks for " + asked
                : profiler.describe();
    }
}
