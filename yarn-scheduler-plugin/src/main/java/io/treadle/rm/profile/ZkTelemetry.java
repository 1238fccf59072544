// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.conf.SchedulerConf;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code /treadle} in ZooKeeper. Everything is asynchronous: where ZooKeeper is away, what was said last stands,
 * and no call from the scheduler waits for it.
 */
public final class ZkTelemetry implements Telemetry, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZkTelemetry.class);

    /** How long plans wait for what ZooKeeper knows; after that the cluster is planned without it. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, NodeRecord> nodes = new ConcurrentHashMap<>();
    private final Map<String, ProfileRecord> profiles = new ConcurrentHashMap<>();
    private final Map<String, ProfileRecord> known = new ConcurrentHashMap<>();
    private final Map<String, JobProgressRecord> progress = new ConcurrentHashMap<>();
    private final PlacedJobs placed = new PlacedJobs();
    /** Jobs that are there: of no other anything is kept, whoever still writes of it. */
    private final Set<String> live = ConcurrentHashMap.newKeySet();

    private final Runnable changed;
    private final CuratorFramework client;
    private final ZkAccess access;
    private final CuratorCache cache;
    private final ProfileStore store;
    private volatile boolean read;
    private volatile long startedNanos = System.nanoTime();
    private final ZkWriter writer;

    /** @param changed called when a record came that may change a plan */
    public ZkTelemetry(SchedulerConf conf, Runnable changed) {
        this.changed = changed;
        access = ZkAccess.from(conf);
        client = access.newClient(conf.zkAddress());
        cache = CuratorCache.build(client, ZkPaths.ROOT);
        store = new ProfileStore(client, access);
        writer = new ZkWriter(client);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreatesAndChanges((before, now) -> read(now))
                        .forDeletes(this::forget)
                        .forInitialized(this::initialized)
                        .build());
    }

    private void initialized() {
        read = true;
        changed.run();
    }

    /**
     * Whether what was in ZooKeeper at the start has been read, or ZooKeeper was away for so long that nothing more is
     * waited for. A plan made before would take jobs for unmeasured and devices for unknown.
     */
    public boolean isReady() {
        return read || System.nanoTime() - startedNanos > PATIENCE_NANOS;
    }

    /** @param over whether a job, by its application's id, has ended or is unknown: what is left of it is removed */
    public void start(Predicate<String> over) {
        startedNanos = System.nanoTime();
        client.start();
        cache.start();
        writer.execute(() -> access.createTree(client));
        writer.execute(() -> removeOthers(over));
    }

    /** A ResourceManager that was killed may have left the nodes of jobs that ended then. */
    private void removeOthers(Predicate<String> over) throws Exception {
        for (String job : client.getChildren().forPath(ZkPaths.JOBS)) {
            if (!live.contains(job) && over.test(job)) {
                access.delete(client, ZkPaths.job(job));
            }
        }
    }

    @Override
    public void close() {
        writer.close();
        cache.close();
        client.close();
    }

    @Override
    public Optional<NodeRecord> node(String hostAndPort) {
        return Optional.ofNullable(nodes.get(hostAndPort));
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

    /** A job was submitted: makes its node. */
    public void jobAdded(String applicationId, GangSpec spec) {
        live.add(applicationId);
        writer.execute(() -> access.createJob(client, applicationId, spec.zkDigest()));
    }

    /**
     * The job runs on GPUs of this model, or can run on no other: what is known of it there is offered to its
     * ApplicationMaster and to the scheduler. May be said again at any time.
     *
     * @param runs whether it runs already
     */
    public void jobPlaced(String applicationId, String user, GangSpec spec, String gpuModel, boolean runs) {
        if (live.contains(applicationId) && !spec.modelTag().isEmpty() && placed.put(applicationId, gpuModel, runs)) {
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

    /** A job ended: keeps its profile under its model tag and removes its node. */
    public void jobRemoved(String applicationId, String user, GangSpec spec) {
        live.remove(applicationId);
        Optional<ProfileRecord> profile = profile(applicationId);
        Optional<String> gpuModel = placed.ranOn(applicationId);
        writer.execute(() -> {
            if (gpuModel.isPresent() && profile.isPresent()) {
                store.keep(user, spec, profile.get(), gpuModel.get());
            }
            access.delete(client, ZkPaths.job(applicationId));
            profiles.remove(applicationId);
            known.remove(applicationId);
            progress.remove(applicationId);
            placed.remove(applicationId);
        });
    }

    private void read(ChildData data) {
        String path = data.getPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (data.getData() == null || data.getData().length == 0) {
            return;
        }
        String text = new String(data.getData(), StandardCharsets.UTF_8);
        try {
            if (path.startsWith(ZkPaths.NODES + "/")) {
                nodes.put(name, NodeRecord.fromJson(path, text));
            } else if (path.startsWith(ZkPaths.JOBS + "/")) {
                readJob(path, name, text);
            } else {
                return;
            }
            changed.run();
        } catch (WireFormatException e) {
            LOG.warn("Record in ZooKeeper is ignored, what was said before stands: {}", e.getMessage());
        }
    }

    private void readJob(String path, String name, String text) {
        String job = path.substring(ZkPaths.JOBS.length() + 1, path.lastIndexOf('/'));
        if (name.equals("profile")) {
            ProfileRecord record = ProfileRecord.fromJson(path, text);
            if (!record.applicationId().equals(job)) {
                throw new WireFormatException(
                        path + ": field 'applicationId' is '" + record.applicationId() + "', must be '" + job + "'");
            }
            profiles.put(job, record);
        } else if (name.equals("progress")) {
            progress.put(job, JobProgressRecord.fromJson(path, text));
        }
    }

    private void forget(ChildData data) {
        // A node that loses ZooKeeper still has its devices: its record is forgotten when YARN loses the node.
        if (data.getPath().startsWith(ZkPaths.JOBS + "/")) {
            String job = data.getPath().substring(ZkPaths.JOBS.length() + 1).split("/", 2)[0];
            if (!live.contains(job)) {
                // What was read of it after its end.
                profiles.remove(job);
                progress.remove(job);
            }
            changed.run();
        }
    }

    /** YARN has lost the node. */
    public void nodeRemoved(String hostAndPort) {
        nodes.remove(hostAndPort);
    }
}
