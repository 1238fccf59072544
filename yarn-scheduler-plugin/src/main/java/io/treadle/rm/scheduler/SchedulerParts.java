// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.bridge.ApplicationOwners;
import io.treadle.rm.bridge.AwaitedDevices;
import io.treadle.rm.bridge.ContainerCaps;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.GangClaims;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.GangLabels;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.LargestCluster;
import io.treadle.rm.bridge.MemoryWishes;
import io.treadle.rm.bridge.NodeNames;
import io.treadle.rm.bridge.NodeOffers;
import io.treadle.rm.bridge.NodeReservations;
import io.treadle.rm.bridge.PowerSight;
import io.treadle.rm.bridge.ProposalGuard;
import io.treadle.rm.bridge.Refusals;
import io.treadle.rm.bridge.RoomFinder;
import io.treadle.rm.bridge.RoomPreemption;
import io.treadle.rm.bridge.RoundedSizes;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.SharedStorageLimit;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.bridge.StartingDraw;
import io.treadle.rm.bridge.SubmissionCheck;
import io.treadle.rm.bridge.UndeliveredGangs;
import io.treadle.rm.bridge.Withdrawal;
import io.treadle.rm.bridge.YarnResources;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangHost;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.metrics.TreadleMetrics;
import io.treadle.rm.power.BudgetOverrides;
import io.treadle.rm.power.BudgetQueues;
import io.treadle.rm.power.CapsSender;
import io.treadle.rm.power.ClusterPower;
import io.treadle.rm.power.EnergyUse;
import io.treadle.rm.power.GridCarbon;
import io.treadle.rm.power.MemoryOverrides;
import io.treadle.rm.power.Owners;
import io.treadle.rm.power.PowerAccounts;
import io.treadle.rm.power.PowerBudgets;
import io.treadle.rm.profile.ProfilingTime;
import io.treadle.rm.profile.Telemetry;
import io.treadle.rm.profile.ZkTelemetry;
import io.treadle.rm.sleep.SleepWatch;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What stands behind the scheduler's hooks from its initialisation on. */
record SchedulerParts(
        Telemetry telemetry,
        Optional<ZkTelemetry> zooKeeper,
        ProfilingTime measured,
        ClusterPower power,
        NodeOffers offers,
        ProposalGuard guard,
        GangReservations reservations,
        Refusals refusals,
        SharedStorageLimit sharedStorage,
        SubmissionCheck submissions,
        Optional<SleepWatch> sleep,
        NodeNames names,
        RoundDriver driver,
        TreadleMetrics metrics,
        boolean stepped) {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerParts.class);

    /**
     * @param budgets the queues with what their settings say of power
     * @param observer is shown all jobs at the end of each round
     * @param triggers told what may change a plan
     */
    static SchedulerParts create(
            SchedulerConf conf,
            SchedulerAccess access,
            GangHost host,
            GangTable gangs,
            QueuePolicies policies,
            BudgetQueues budgets,
            RMContext context,
            Surroundings surroundings,
            Consumer<List<Gang>> observer,
            RoundTriggers triggers) {
        Clock clock = surroundings.clock();
        Owners owners = new ApplicationOwners(gangs, access, context);
        PowerAccounts accounts = new PowerAccounts(owners, clock);
        GridCarbon carbon = new GridCarbon(conf.power().carbonFile());
        EnergyUse use = new EnergyUse(accounts, carbon, clock);
        Optional<ZkTelemetry> zooKeeper = Optional.empty();
        if (conf.zkAddress().isEmpty()) {
            LOG.warn(
                    "{} is not set: jobs run at their GPU-proportional share, devices are chosen by the nodes",
                    SchedulerConf.ZK_ADDRESS);
        } else {
            zooKeeper = Optional.of(new ZkTelemetry(conf, triggers::gangs, triggers::others, accounts, use::restore));
        }
        Optional<ZkTelemetry> records = zooKeeper;
        Telemetry telemetry = zooKeeper.isPresent() ? zooKeeper.get() : surroundings.records();
        ProfilingTime measured = new ProfilingTime(telemetry, conf.profilingMost(), clock);
        TreadleMetrics metrics = TreadleMetrics.register();
        StartingDraw starting = new StartingDraw(access, telemetry, owners, clock);
        BooleanSupplier ready = () ->
                isRecovered(context) && records.map(ZkTelemetry::isReady).orElseGet(surroundings.ready()::getAsBoolean);
        PowerBudgets powerBudgets = new PowerBudgets(
                conf.budget(),
                budgets,
                zooKeeper.<BudgetOverrides>map(ZkTelemetry::budgets).orElseGet(MemoryOverrides::new),
                () -> starting.with(accounts.draw()),
                use,
                triggers::gangs);
        SleepParts sleep = SleepParts.create(
                conf.power().off(),
                new SleepParts.Cluster(access, gangs, policies, context),
                zooKeeper,
                accounts,
                powerBudgets,
                ready,
                clock);
        ClusterPower power = new ClusterPower(
                accounts,
                powerBudgets,
                use,
                carbon,
                sleep.sleeping(),
                record -> records.ifPresent(zk -> zk.keepBudgetUse(record)),
                job -> telemetry
                        .progress(job)
                        .map(p -> OptionalLong.of(p.samples()))
                        .orElse(OptionalLong.empty()),
                metrics::power,
                clock);
        ModelWatch models = new ModelWatch(zooKeeper);
        MemoryWishes memory = new MemoryWishes(telemetry, (job, wanted) -> gangs.find(ApplicationId.fromString(job))
                .ifPresent(gang -> records.ifPresent(zk -> zk.wantMemory(job, gang.spec(), wanted))));
        GangReservations reservations = new GangReservations(clock::millis, host::isPlanned);
        SnapshotBuilder snapshots = new SnapshotBuilder(
                access,
                telemetry,
                measured,
                memory,
                new PowerSight(
                        access,
                        telemetry,
                        () -> power.budgets().now()::allowed,
                        conf.power().secondsPerJoule()),
                reservations,
                conf);
        Withdrawal withdrawal = new Withdrawal(access);
        PlanExecutor executor = new PlanExecutor(
                gangs,
                new RoundedSizes(access),
                access.names(),
                new GangCommitter(access, telemetry, sleep.sleeping(), reservations),
                new ContainerResizer(access, memory),
                withdrawal,
                new MakingWay(withdrawal, conf.power().makeWay()),
                models,
                metrics);
        AwaitedDevices awaited = new AwaitedDevices(access, clock);
        UndeliveredGangs undelivered = new UndeliveredGangs(access, gangs);
        RoundDriver driver = new RoundDriver(
                ready,
                gangs,
                new GangLabels(access, context),
                snapshots,
                policies,
                models,
                executor,
                new ReservationRounds(
                        conf.reservation(),
                        reservations,
                        new GangClaims(access, reservations),
                        new RoomFinder(access, reservations, sleep.sleeping()),
                        new NodeReservations(access),
                        new RoomPreemption(access, reservations),
                        snapshots,
                        executor,
                        metrics),
                new LentRounds(access, gangs, snapshots, executor),
                new GangDiagnostics(context),
                observer,
                triggers,
                caps(conf, new ContainerCaps(access, telemetry), gangs, telemetry, records),
                () -> {
                    undelivered.takeBackBroken();
                    awaited.dropOverdue();
                },
                metrics,
                conf,
                surroundings);
        SharedStorageLimit sharedStorage = new SharedStorageLimit(access, conf.sharedStorageMBps());
        Refusals refusals = new Refusals(
                () -> TimeUnit.NANOSECONDS.toMillis(surroundings.nanoTime().getAsLong()), metrics::leftOut);
        NodeOffers offers = new NodeOffers(
                host, access, telemetry, sleep.sleeping(), sharedStorage, reservations, refusals, awaited);
        return new SchedulerParts(
                telemetry,
                zooKeeper,
                measured,
                power,
                offers,
                new ProposalGuard(
                        host, access, telemetry, sleep.sleeping(), sharedStorage, reservations, refusals, awaited),
                reservations,
                refusals,
                sharedStorage,
                new SubmissionCheck(
                        access,
                        telemetry,
                        sleep.sleeping(),
                        new LargestCluster(access, conf.refusal(), () -> isRecovered(context), clock)),
                sleep.watch(),
                access.names(),
                driver,
                metrics,
                surroundings.stepped());
    }

    /** Without ZooKeeper no node is told any caps, and there are none where no container can hold power. */
    private static LongConsumer caps(
            SchedulerConf conf,
            ContainerCaps caps,
            GangTable gangs,
            Telemetry telemetry,
            Optional<ZkTelemetry> zooKeeper) {
        if (zooKeeper.isEmpty() || !YarnResources.isDeclared(YarnResources.POWER)) {
            return nowMs -> {};
        }
        CapsSender sender = new CapsSender(conf.power().capsLease(), zooKeeper.get()::tellCaps);
        return new CapsRounds(caps, sender, gangs, telemetry, conf.power().capsLease());
    }

    /** CapacityScheduler allocates nothing either until the nodes had time to report what runs on them. */
    private static boolean isRecovered(RMContext context) {
        return !context.isWorkPreservingRecoveryEnabled() || context.isSchedulerReadyForAllocatingContainers();
    }

    void start() {
        if (stepped) {
            return;
        }
        driver.start();
        power.start();
        sleep.ifPresent(SleepWatch::start);
    }

    void stop() throws InterruptedException {
        try {
            driver.stop();
        } finally {
            names.close();
            power.stop();
            sleep.ifPresent(SleepWatch::stop);
            zooKeeper.ifPresent(ZkTelemetry::close);
        }
    }
}
