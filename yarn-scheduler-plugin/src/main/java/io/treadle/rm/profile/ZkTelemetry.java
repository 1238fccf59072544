// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.BudgetUseRecord;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.NodeCaps;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.power.BudgetOverrides;
import io.treadle.rm.power.NodeRecords;
import io.treadle.rm.sleep.SleepRecords;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.cache.CuratorCacheStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code /treadle} in ZooKeeper. Everything is asynchronous: where ZooKeeper is away, what was said last stands,
 * and no call from the scheduler waits for it.
 */
public final class ZkTelemetry implements Telemetry, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZkTelemetry.class);

    /** How long plans wait for what ZooKeeper knows; after that the cluster is planned without it. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** How many stored profiles are looked at, each time that a job has ended: more than it can have added. */
    private static final int PROFILES_LOOKED_AT = 10;
    /** What ApplicationMasters write: the application's id, and what it is. */
    private static final Pattern JOB_RECORD =
            Pattern.compile(Pattern.quote(ZkPaths.JOBS) + "/application_[0-9_]{1,40}/(profile|progress|memory-given)");

    private final Map<String, NodeRecord> nodes = new ConcurrentHashMap<>();
    private final Map<String, ProfileRecord> profiles = new ConcurrentHashMap<>();
    private final Map<String, ProfileRecord> known = new ConcurrentHashMap<>();
    private final Map<String, JobProgressRecord> progress = new ConcurrentHashMap<>();
    private final Map<String, MemoryRecord> memoryGiven = new ConcurrentHashMap<>();
    private final PlacedJobs placed = new PlacedJobs();
    /** By job, the least storage bandwidth that a node of its advertises, MB/s. */
    private final Map<String, Long> storage = new ConcurrentHashMap<>();
    /** Jobs that are there: of no other anything is kept, whoever still writes of it. */
    private final Set<String> live = ConcurrentHashMap.newKeySet();

    private final Runnable changed;
    private final Runnable heldByOthers;
    private final NodeRecords nodeRecords;
    private final CuratorFramework client;
    private final ZkAccess access;
    private final CuratorCache jobsCache;
    private final CuratorCache nodesCache;
    private final CuratorCache budgetsCache;
    /** Nodes that YARN has. */
    private final Set<String> yarnNodes = ConcurrentHashMap.newKeySet();

    private final CountDownLatch read = new CountDownLatch(3);
    private final ProfileStore store;
    private final StaleProfiles stale;
    private final ZkBudgetOverrides budgets;
    private final ZkBudgetUse budgetUse;
    private final ZkSleepingNodes sleepRecords;
    private final ZkCaps caps;
    private volatile long startedNanos = System.nanoTime();
    private final ZkWriter writer;

    /**
     * @param changed called when a record came that may change a plan
     * @param heldByOthers called when a node says that other containers hold its devices
     * @param nodeRecords is shown every record of a node
     * @param budgetUse takes what a ResourceManager before this one has written down of energy budgets
     */
    public ZkTelemetry(
            SchedulerConf conf,
            Runnable changed,
            Runnable heldByOthers,
            NodeRecords nodeRecords,
            Consumer<BudgetUseRecord> budgetUse) {
        this.changed = changed;
        this.heldByOthers = heldByOthers;
        this.nodeRecords = nodeRecords;
        access = ZkAccess.from(conf);
        client = access.newClient(conf.zkAddress());
        // Stored profiles are read when a job needs one: nobody knows how many there are.
        jobsCache = follow(ZkPaths.JOBS);
        nodesCache = follow(ZkPaths.NODES);
        budgets = new ZkBudgetOverrides(client, access);
        budgetsCache = follow(budgets.path());
        store = new ProfileStore(client, access, InstantSource.system());
        stale = new StaleProfiles(store, InstantSource.system());
        writer = new ZkWriter(client);
        caps = new ZkCaps(client, access, writer, InstantSource.system());
        sleepRecords = new ZkSleepingNodes(client, access, writer);
        this.budgetUse = new ZkBudgetUse(client, access, writer, budgetUse);
    }

    private CuratorCache follow(String path) {
        // What a record says is kept as it is read. Jobs may create any number of nodes of any content below their own.
        CuratorCache cache = CuratorCache.builder(client, path)
                .withStorage(CuratorCacheStorage.dataNotCached())
                .build();
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreatesAndChanges((before, now) -> read(now))
                        .forDeletes(this::forget)
                        .forInitialized(() -> {
                            read.countDown();
                            changed.run();
                        })
                        .build());
        return cache;
    }

    /**
     * Whether what was in ZooKeeper at the start has been read, or ZooKeeper was away for so long that nothing more is
     * waited for. A plan made before would take jobs for unmeasured and devices for unknown.
     */
    public boolean isReady() {
        return read.getCount() == 0 || System.nanoTime() - startedNanos > PATIENCE_NANOS;
    }

    /** @param over whether a job, by its application's id, has ended or is unknown: what is left of it is removed */
    public void start(Predicate<String> over) {
        startedNanos = System.nanoTime();
        client.start();
        jobsCache.start();
        nodesCache.start();
        budgetsCache.start();
        writer.execute(() -> {
            access.createTree(client);
            budgetUse.read();
        });
        writer.execute(() -> deleteLeft(access, client, writer, job -> !live.contains(job) && over.test(job)));
    }

    /** A ResourceManager that was killed may have left the nodes of jobs that ended then. One that cannot be deleted keeps no other. */
    static void deleteLeft(ZkAccess access, CuratorFramework client, ZkWriter writer, Predicate<String> gone)
            throws Exception {
        for (String job : access.jobs(client)) {
            writer.execute(() -> {
                if (gone.test(job)) {
                    access.deleteJob(client, job);
                }
            });
        }
    }

    @Override
    public void close() {
        writer.close();
        jobsCache.close();
        nodesCache.close();
        budgetsCache.close();
        client.close();
    }

    @Override
    public Optional<NodeRecord> node(String hostAndPort) {
        return Optional.ofNullable(nodes.get(hostAndPort));
    }

    @Override
    public boolean knowsNodes() {
        return !nodes.isEmpty();
    }

    @Override
    public Optional<ProfileRecord> profile(String applicationId) {
        return Optional.ofNullable(profiles.get(applicationId));
    }

    @Override
    public Optional<ProfileRecord> known(String applicationId) {
        return Optional.ofNullable(known.get(applicationId));
    }

    @Override
    public Optional<JobProgressRecord> progress(String applicationId) {
        return Optional.ofNullable(progress.get(applicationId));
    }

    @Override
    public Optional<MemoryRecord> memoryGiven(String applicationId) {
        return Optional.ofNullable(memoryGiven.get(applicationId));
    }

    /** Tells the job's ApplicationMaster what its containers are to make do with. */
    public void wantMemory(String applicationId, GangSpec spec, MemoryRecord wanted) {
        writer.execute(() -> {
            if (live.contains(applicationId)) {
                access.write(
                        client, ZkPaths.memoryWanted(applicationId), wanted.toJson(), access.withJob(spec.zkDigest()));
            }
        });
    }

    /** Tells a node its caps. Of those that wait for ZooKeeper only the newest are written. */
    public void tellCaps(String node, NodeCaps wanted) {
        caps.tell(node, wanted);
    }

    /** Power budgets that administrators have set. */
    public BudgetOverrides budgets() {
        return budgets;
    }

    /** Writes down what has been used of energy budgets, as soon as ZooKeeper is there. */
    public void keepBudgetUse(Supplier<BudgetUseRecord> newest) {
        budgetUse.keep(newest);
    }

    /** Where it is written down which nodes are off: not looked at before somebody asks. */
    public SleepRecords sleepRecords() {
        return sleepRecords;
    }

    /** Profiles of jobs that have ended. */
    public ProfileStore store() {
        return store;
    }

    /** A job was submitted: makes its node. */
    public void jobAdded(String applicationId, GangSpec spec) {
        live.add(applicationId);
        writer.execute(() -> access.createJob(client, applicationId, spec.zkDigest()));
    }

    /**
     * The job runs on GPUs of this model, or can run on no other: what is known of it there is offered to its
     * ApplicationMaster and to the scheduler. May be said again at any time.
     */
    public void jobPlaced(String applicationId, String user, GangSpec spec, String gpuModel, JobStage stage) {
        if (live.contains(applicationId) && !spec.modelTag().isEmpty() && placed.put(applicationId, gpuModel, stage)) {
            writer.execute(() -> {
                if (!live.contains(applicationId)) {
                    placed.remove(applicationId);
                    return;
                }
                Optional<ProfileRecord> found = store.offer(applicationId, user, spec, gpuModel);
                found.ifPresentOrElse(p -> known.put(applicationId, p), () -> known.remove(applicationId));
                changed.run();
            });
        }
    }

    /** The job runs on nodes that advertise so much storage bandwidth, the least of them, MB/s. May be said again. */
    public void jobReadsAt(String applicationId, long megabytesPerSecond) {
        if (live.contains(applicationId)) {
            storage.put(applicationId, megabytesPerSecond);
        }
    }

    /** A job ended: keeps its profile under its model tag and removes its node. */
    public void jobRemoved(String applicationId, String user, GangSpec spec) {
        live.remove(applicationId);
        long nodeMBps = Objects.requireNonNullElse(storage.remove(applicationId), 0L);
        Optional<ProfileRecord> profile =
                profile(applicationId).map(p -> p.withDataset(p.dataset().map(data -> data.measuredOn(nodeMBps))));
        Optional<String> gpuModel = placed.ranOn(applicationId);
        writer.execute(() -> {
            if (gpuModel.isPresent() && profile.isPresent()) {
                store.keep(user, spec, profile.get(), gpuModel.get(), Optional.ofNullable(known.get(applicationId)));
            }
        });
        writer.execute(() -> {
            // First, as it may be that what it has in ZooKeeper cannot be deleted.
            profiles.remove(applicationId);
            known.remove(applicationId);
            progress.remove(applicationId);
            memoryGiven.remove(applicationId);
            placed.remove(applicationId);
            access.delete(client, ZkPaths.job(applicationId));
        });
        writer.execute(() -> stale.look(PROFILES_LOOKED_AT));
    }

    private void read(ChildData data) {
        String path = data.getPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (data.getData() == null || data.getData().length == 0 || !isRecord(path)) {
            return;
        }
        String text = new String(data.getData(), StandardCharsets.UTF_8);
        try {
            if (path.startsWith(ZkPaths.NODES + "/")) {
                NodeRecord record = NodeRecord.fromJson(path, text);
                NodeRecord before = nodes.put(name, record);
                nodeRecords.seen(name, record);
                changedIf(before == null || RecordChanges.matter(before, record));
                if (before != null && RecordChanges.haveOtherHolders(before, record)) {
                    heldByOthers.run();
                }
            } else if (path.equals(budgets.path())) {
                changedIf(budgets.read(data.getStat(), text));
            } else {
                readJob(path, name, text);
            }
        } catch (WireFormatException e) {
            LOG.warn("Record in ZooKeeper is ignored, what was said before stands: {}", e.getMessage());
        }
    }

    /** Whether it is a place where records lie: one deeper down is nobody's, and would never be forgotten. */
    private boolean isRecord(String path) {
        if (path.startsWith(ZkPaths.NODES + "/")) {
            return path.lastIndexOf('/') == ZkPaths.NODES.length();
        }
        return path.equals(budgets.path()) || JOB_RECORD.matcher(path).matches();
    }

    private void readJob(String path, String name, String text) {
        String job = path.substring(ZkPaths.JOBS.length() + 1, path.lastIndexOf('/'));
        if (name.equals("profile")) {
            ProfileRecord record = ProfileRecord.fromJson(path, text);
            if (!record.applicationId().equals(job)) {
                throw new WireFormatException(
                        path + ": field 'applicationId' is '" + record.applicationId() + "', must be '" + job + "'");
            }
            ProfileRecord before = profiles.put(job, record);
            changedIf(before == null || RecordChanges.matter(before, record));
        } else if (name.equals("memory-given")) {
            MemoryRecord given = MemoryRecord.fromJson(path, text);
            changedIf(!given.equals(memoryGiven.put(job, given)));
        } else if (name.equals("progress")) {
            progress.put(job, JobProgressRecord.fromJson(path, text));
        }
    }

    private void changedIf(boolean matters) {
        if (matters) {
            changed.run();
        }
    }

    private void forget(ChildData data) {
        String path = data.getPath();
        if (path.startsWith(ZkPaths.JOBS + "/")) {
            String job = path.substring(ZkPaths.JOBS.length() + 1).split("/", 2)[0];
            if (!live.contains(job)) {
                // What was read of it after its end.
                profiles.remove(job);
                progress.remove(job);
                memoryGiven.remove(job);
            }
            changed.run();
        } else if (path.startsWith(ZkPaths.NODES + "/")) {
            forgetLost(path.substring(path.lastIndexOf('/') + 1));
        } else if (path.equals(budgets.path())) {
            budgets.forget(data.getStat());
            changed.run();
        }
    }

    /** YARN has lost the node. */
    public void nodeRemoved(String hostAndPort) {
        yarnNodes.remove(hostAndPort);
        if (nodesCache.get(ZkPaths.node(hostAndPort)).isEmpty()) {
            forgetLost(hostAndPort);
        }
        caps.sweep(this::isGone);
    }

    /** YARN has the node, maybe again: what its plugin said before holds until it says something else. */
    public void nodeAdded(String hostAndPort) {
        yarnNodes.add(hostAndPort);
    }

    /**
     * A node that loses only ZooKeeper, or only YARN for a moment, still has its devices. One that YARN does not have is
     * forgotten, also where it went while there was no ResourceManager and YARN never knew it.
     */
    private void forgetLost(String hostAndPort) {
        if (!yarnNodes.contains(hostAndPort) && nodes.remove(hostAndPort) != null) {
            nodeRecords.gone(hostAndPort);
            caps.forget(hostAndPort);
        }
    }

    private boolean isGone(String hostAndPort) {
        return !yarnNodes.contains(hostAndPort) && !nodes.containsKey(hostAndPort);
    }
}
