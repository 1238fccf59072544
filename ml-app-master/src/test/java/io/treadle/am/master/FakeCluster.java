// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.EnergySettings;
import io.treadle.am.profile.ProfileSettings;
import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.am.yarn.LostContainer;
import io.treadle.am.yarn.NmGateway;
import io.treadle.am.yarn.RmGateway;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WorkerCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Stands for YARN, the runners, ZooKeeper and time, all on one thread. */
final class FakeCluster implements RmGateway, NmGateway, RunnerGateway, StateStore, JobNode, JobClock {
    /** A runner as its ApplicationMaster sees it. */
    static final class Runner {
        final GrantedContainer container;
        boolean registered;
        /** Whether it knows where its ApplicationMaster is: it was launched by it, or has heard its announcement. */
        boolean knowsMaster = true;

        int epoch;
        ReportMessage.State state = ReportMessage.State.WAITING;
        Directive last = Directive.waitFor(0);
        int starts;
        /** Where its worker was told that all are when it was last started. */
        Map<String, List<String>> addresses = Map.of();

        double samples;
        long samplesBase;
        long vcores;
        int version;
        double rate = 10;
        boolean silent;
        long answered;
        Optional<DataReport> data = Optional.empty();
        long residentMiB;
        double cpuSeconds = 1.5;
        /** Cores that it uses; those of its size where it is 0. */
        double usesCores;

        /** What was wrong with its progress file, counted by kind. */
        Map<String, Long> badLines = Map.of();

        long memoryMiB = 2048;

        /** Power of its container, W, which caps its one GPU. */
        long watts;

        double joules;

        final FakeBatch batch = new FakeBatch();

        Runner(GrantedContainer container) {
            this.container = container;
            this.vcores = container.vcores();
        }
    }

    final List<String> asked = new ArrayList<>();
    /** How often it was said that no more is asked for. */
    int withdrawn;

    final List<String> released = new ArrayList<>();
    final List<String> resized = new ArrayList<>();
    final List<String> capped = new ArrayList<>();
    final List<String> announced = new ArrayList<>();
    final List<ProfileRecord> profiles = new ArrayList<>();
    final List<JobProgressRecord> progress = new ArrayList<>();
    final List<MemoryRecord> memory = new ArrayList<>();
    final Map<String, Runner> runners = new LinkedHashMap<>();
    Optional<SavedState> saved = Optional.empty();
    JobMaster master;
    JobSpec spec;
    private final MasterSettings settings;
    private double now = 5000;
    private int nextContainer = 1;

    /** What a container may have at most: increases beyond it are not granted. Decreases always are, as YARN does. */
    long mostVcores = Long.MAX_VALUE;

    /** Whether the nodes say what GPUs spend: each 300 W at 400 W, and under a cap 3/4 of it. */
    boolean metered;

    /** Why the ResourceManager refuses what it is asked for. */
    Optional<String> refusal = Optional.empty();

    /** Whether the nodes set caps. */
    boolean caps = true;

    static final double LIMIT_WATTS = 400;

    FakeCluster(JobSpec spec) {
        this.spec = spec;
        this.settings = new MasterSettings(
                60,
                30,
                3,
                10,
                new ProfileSettings(
                        spec.profiling().enabled(), 2, 10, spec.profiling().maxSeconds(), 1, 3, 0.05, 1, 64, 0.15, 600),
                new EnergySettings(
                        spec.profiling().enabled(), 5, 600, spec.groups().get(0).count()),
                5);
        this.master = newMaster(1);
    }

    private JobMaster newMaster(int attempt) {
        return new JobMaster(
                new JobIdentity("application_1_0001", attempt, "ada", "/ck", ""),
                spec,
                settings,
                this,
                new Outside(this, this, this, this, this));
    }

    static JobSpec job(int workers, int maxRestarts, boolean profiled) {
        return job(List.of(group("worker", workers, workers, 1)), maxRestarts, profiled);
    }

    static JobSpec job(List<JobSpec.TaskGroup> groups, int maxRestarts, boolean profiled) {
        return new JobSpec(
                "test",
                "",
                "tag",
                16,
                100_000,
                false,
                0,
                maxRestarts,
                2,
                Map.of("A", "1"),
                List.of(),
                List.of(),
                Optional.empty(),
                new JobSpec.AppMaster(1, 512),
                new JobSpec.Profiling(profiled, 600),
                groups);
    }

    static JobSpec.TaskGroup group(String name, int count, int min, int gpus) {
        return new JobSpec.TaskGroup(
                name, count, min, gpus, 0, List.of(), 4, 1024, 0, 0, "run " + name, Map.of("G", name));
    }

    void start() {
        master.start(Optional.empty(), List.of());
        master.onKnownProfile(Optional.empty());
    }

    /** The ApplicationMaster dies and another takes over, which finds no known profile; runners keep what they do. */
    void restartMaster(List<String> lostContainers) {
        restartMaster(lostContainers, Optional.empty());
    }

    /** @param known the profile that the other ApplicationMaster finds */
    void restartMaster(List<String> lostContainers, Optional<ProfileRecord> known) {
        lostContainers.forEach(runners::remove);
        runners.values().forEach(r -> {
            r.registered = false;
            r.knowsMaster = false;
        });
        asked.clear();
        master = newMaster(2);
        master.start(
                saved.map(s -> SavedState.fromJson(s.toJson())),
                runners.values().stream()
                        .map(r -> new GrantedContainer(
                                r.container.id(),
                                r.container.host(),
                                r.container.nodeHttpAddress(),
                                r.container.requestId(),
                                r.vcores,
                                r.container.memoryMiB(),
                                r.version))
                        .toList());
        master.onKnownProfile(known);
    }

    /** Grants containers of another size than was asked for. */
    List<String> grant(int requestId, int count) {
        List<GrantedContainer> containers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            containers.add(new GrantedContainer(
                    "c" + nextContainer++, "host" + nextContainer, "host:8042", requestId, 6, 2048, 0));
        }
        master.onGranted(containers);
        return containers.stream().map(GrantedContainer::id).collect(Collectors.toList());
    }

    void lose(String container, boolean blameless) {
        runners.remove(container);
        master.onLost(List.of(new LostContainer(container, -100, blameless, "lost")));
    }

    /** Lets time pass: runners report and follow, the master ticks. */
    void run(double seconds) throws RefusedException {
        double end = now + seconds;
        while (now < end) {
            now += 0.25;
            for (Runner runner : List.copyOf(runners.values())) {
                if (!runner.silent && runner.knowsMaster) {
                    step(runner);
                }
            }
            master.tick();
        }
    }

    /** The runner finds its ApplicationMaster; it has not followed yet what that says. */
    Directive register(String container) throws RefusedException {
        Runner runner = runner(container);
        runner.knowsMaster = true;
        return master.register(new RegisterMessage(container, runner.container.host(), 7000));
    }

    private void step(Runner runner) throws RefusedException {
        if (!runner.registered) {
            follow(runner, register(runner.container.id()));
            runner.registered = true;
        }
        if (runner.state == ReportMessage.State.RUNNING) {
            double used = runner.usesCores > 0 ? runner.usesCores : runner.vcores;
            runner.samples += runner.rate
                    * used
                    * 0.25
                    * (0.5 + 0.5 * cap(runner) / LIMIT_WATTS)
                    * FakeBatch.gain(runner.batch.size);
            runner.joules += 0.75 * cap(runner) * 0.25;
            runner.cpuSeconds += used * 0.25;
        }
        follow(runner, master.report(report(runner)));
    }

    /** Starts the job's only group and lets time pass until its workers run. */
    List<String> startGang(int workers) throws RefusedException {
        start();
        List<String> containers = grant(1, workers);
        run(2);
        return containers;
    }

    Assignment assignment(String container) {
        return runner(container).last.assignment().orElseThrow();
    }

    ReportMessage report(Runner runner) {
        boolean running = runner.state != ReportMessage.State.WAITING && runner.rate > 0;
        return new ReportMessage(
                runner.container.id(),
                runner.state,
                runner.epoch,
                40_000 + runner.epoch,
                running ? (long) (runner.samplesBase + runner.samples) : -1,
                0,
                runner.batch.size,
                runner.batch.passes(),
                running ? 0 : -1,
                runner.cpuSeconds,
                7.5,
                1,
                runner.residentMiB,
                Optional.of(new ResourcesFile(
                        runner.version, runner.vcores, null, runner.memoryMiB, 0, runner.watts, 0, List.of())),
                true,
                "",
                runner.answered,
                runner.batch.refused,
                runner.data,
                energy(runner),
                runner.badLines,
                List.of());
    }

    private double cap(Runner runner) {
        return caps && runner.watts > 0 ? runner.watts : LIMIT_WATTS;
    }

    private Optional<ReportMessage.Energy> energy(Runner runner) {
        return metered
                ? Optional.of(new ReportMessage.Energy(
                        new EnergyFile(wallMs(), Math.round(runner.joules * 1e3), 1, cap(runner), 100, LIMIT_WATTS), 0))
                : Optional.empty();
    }

    private static void follow(Runner runner, Directive directive) {
        runner.last = directive;
        if (directive.epoch() > runner.epoch) {
            runner.epoch = directive.epoch();
            runner.state = ReportMessage.State.WAITING;
            runner.samples = 0;
            runner.batch.size = runner.batch.own;
        }
        directive
                .command()
                .filter(c -> c.epoch() > runner.answered && runner.batch.take(c))
                .ifPresent(c -> runner.answered = c.epoch());
        if (directive.desired() == Directive.Desired.RUN && runner.state == ReportMessage.State.WAITING) {
            runner.state = ReportMessage.State.RUNNING;
            runner.starts++;
            runner.addresses = directive.assignment().orElseThrow().addresses();
        }
    }

    void finish(String container, int exitCode, double ranSeconds, boolean progressed) throws RefusedException {
        Runner runner = runner(container);
        runner.state = ReportMessage.State.ENDED;
        follow(
                runner,
                master.finished(new FinishedMessage(
                        container,
                        runner.epoch,
                        exitCode,
                        ranSeconds,
                        progressed,
                        -1,
                        stopAsked(runner),
                        List.of("line 1", "boom"))));
    }

    private static boolean stopAsked(Runner runner) {
        return runner.last
                .command()
                .filter(c -> c.command() == WorkerCommand.Command.STOP)
                .isPresent();
    }

    /** Time passes, and the ApplicationMaster's process stands still meanwhile. */
    void standStill(double seconds) {
        now += seconds;
        master.tick();
    }

    Runner runner(String container) {
        return Objects.requireNonNull(runners.get(container), container);
    }

    @Override
    public void askNoMore() {
        withdrawn++;
    }

    @Override
    public void ask(int group, int count) {
        asked.add(group + "x" + count);
    }

    @Override
    public void release(String containerId) {
        released.add(containerId);
        runners.remove(containerId);
    }

    @Override
    public void resize(String containerId, int version, long from, long to) {
        resized.add(containerId + " " + from + "->" + to);
        Runner runner = runners.get(containerId);
        if (runner != null && to != from && to <= mostVcores) {
            runner.vcores = to;
            runner.version++;
        }
    }

    @Override
    public boolean hears() {
        return true;
    }

    @Override
    public Optional<String> refusal() {
        return refusal;
    }

    @Override
    public void resizePower(String containerId, int version, long from, long to) {
        capped.add(containerId + " " + from + "->" + to);
        Runner runner = runners.get(containerId);
        if (runner != null) {
            runner.watts = to;
            runner.version++;
        }
    }

    @Override
    public void start(GrantedContainer container) {
        runners.put(container.id(), new Runner(container));
    }

    @Override
    public void announce(String host, int port) {
        announced.add(host + ":" + port);
        runners.values().stream().filter(r -> r.container.host().equals(host)).forEach(r -> r.knowsMaster = true);
    }

    @Override
    public void save(SavedState state) {
        saved = Optional.of(state);
    }

    @Override
    public void publish(ProfileRecord profile) {
        profiles.add(profile);
    }

    @Override
    public void publish(JobProgressRecord record) {
        progress.add(record);
    }

    @Override
    public void publish(MemoryRecord record) {
        memory.add(record);
    }

    @Override
    public long wallMs() {
        return 1_700_000_000_000L + (long) (now * 1000);
    }

    @Override
    public double seconds() {
        return now;
    }
}
