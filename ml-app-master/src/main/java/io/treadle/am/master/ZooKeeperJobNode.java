// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job's node in ZooKeeper. The ResourceManager makes it when the job is submitted and removes it when the job is over;
 * nothing here makes it, so that nothing is left of a job that is killed. Everything happens on one thread; while ZooKeeper
 * is away or the node is not there the latest records are kept and written later, and the log says so once.
 */
final class ZooKeeperJobNode implements JobNode, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperJobNode.class);

    private static final long RETRY_MS = 500;
    private static final long KNOWN_PROFILE_POLL_MS = 200;
    private static final long MEMORY_POLL_MS = 500;

    private final PausingZooKeeper zooKeeper;
    private final String applicationId;
    private final JobAcl acl;
    private final Map<String, String> due = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(run -> {
        Thread t = new Thread(run, "zookeeper");
        t.setDaemon(true);
        return t;
    });
    private boolean away;
    /** What was read last. */
    private String memoryWanted = "";

    // The future would only tell of a shutdown: the task itself never throws.
    @SuppressWarnings("FutureReturnValueIgnored")
    ZooKeeperJobNode(PausingZooKeeper zooKeeper, String applicationId, JobAcl acl) {
        this.zooKeeper = zooKeeper;
        this.applicationId = applicationId;
        this.acl = acl;
        thread.scheduleWithFixedDelay(this::writeDue, 0, RETRY_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void publish(ProfileRecord profile) {
        due.put(ZkPaths.profile(applicationId), profile.toJson());
    }

    @Override
    public void publish(JobProgressRecord progress) {
        due.put(ZkPaths.progress(applicationId), progress.toJson());
    }

    @Override
    public void publish(MemoryRecord given) {
        due.put(ZkPaths.memoryGiven(applicationId), given.toJson());
    }

    /**
     * Tells what memory the scheduler wants back, whenever that is another.
     *
     * @param wanted whether anybody wants to know at present
     */
    // The future would only tell of a shutdown: the task itself never throws.
    @SuppressWarnings("FutureReturnValueIgnored")
    void followMemory(BooleanSupplier wanted, Consumer<MemoryRecord> then) {
        thread.scheduleWithFixedDelay(
                () -> {
                    if (wanted.getAsBoolean()) {
                        lookForMemory(then);
                    }
                },
                MEMORY_POLL_MS,
                MEMORY_POLL_MS,
                TimeUnit.MILLISECONDS);
    }

    private void lookForMemory(Consumer<MemoryRecord> then) {
        String path = ZkPaths.memoryWanted(applicationId);
        Optional<byte[]> found = read(path);
        String text =
                found.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
        if (found.isEmpty() || text.equals(memoryWanted)) {
            return;
        }
        try {
            Optional<String> stranger =
                    acl.strangerWhoMayWrite(connected().getACL().forPath(path));
            if (stranger.isPresent()) {
                LOG.warn("{} may be written by {}: it is ignored", path, stranger.get());
            } else {
                then.accept(MemoryRecord.fromJson(path, text));
            }
            memoryWanted = text;
        } catch (WireFormatException e) {
            memoryWanted = text;
            LOG.warn("{} is ignored: {}", path, e.getMessage());
        } catch (Exception e) { // Curator declares no narrower type.
            complain(e);
        }
    }

    private void writeDue() {
        for (Map.Entry<String, String> entry : Map.copyOf(due).entrySet()) {
            try {
                write(connected(), entry.getKey(), entry.getValue().getBytes(StandardCharsets.UTF_8));
                zooKeeper.worked();
                due.remove(entry.getKey(), entry.getValue());
                if (away) {
                    away = false;
                    LOG.info("the job's profile and progress are written to ZooKeeper again");
                }
            } catch (Exception e) { // Curator declares no narrower type.
                complain(e);
                return;
            }
        }
    }

    private CuratorFramework connected() throws KeeperException.ConnectionLossException {
        return zooKeeper.connected().orElseThrow(KeeperException.ConnectionLossException::new);
    }

    private void complain(Exception cause) {
        if (cause instanceof KeeperException.SessionClosedRequireAuthException) {
            away = true;
            zooKeeper.refused();
            return;
        }
        if (!away) {
            away = true;
            LOG.warn(
                    "ZooKeeper cannot be written ({}); the job runs on, its profile and progress are kept and written "
                            + "later",
                    cause.toString());
        }
    }

    private void write(CuratorFramework client, String path, byte[] data) throws Exception {
        try {
            client.setData().forPath(path, data);
        } catch (KeeperException.NoNodeException e) {
            // Fails where the job's own node is not there.
            client.create().withACL(acl.acls()).forPath(path, data);
        }
    }

    /** Looks for the profile of an earlier job of the model for a while; says what it found, or nothing, in the end. */
    void awaitKnownProfile(String modelTag, long patienceMs, Consumer<Optional<ProfileRecord>> then) {
        lookForProfile(modelTag, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs), then);
    }

    // The future would only tell of a shutdown.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void lookForProfile(String modelTag, long deadlineNanos, Consumer<Optional<ProfileRecord>> then) {
        thread.schedule(
                () -> {
                    Optional<byte[]> found = read(ZkPaths.knownProfile(applicationId));
                    if (found.isPresent()) {
                        then.accept(usable(found.get(), modelTag));
                    } else if (System.nanoTime() - deadlineNanos >= 0) {
                        then.accept(Optional.empty());
                    } else {
                        lookForProfile(modelTag, deadlineNanos, then);
                    }
                },
                KNOWN_PROFILE_POLL_MS,
                TimeUnit.MILLISECONDS);
    }

    private Optional<byte[]> read(String path) {
        try {
            Optional<CuratorFramework> client = zooKeeper.connected();
            return client.isPresent() ? Optional.of(client.get().getData().forPath(path)) : Optional.empty();
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (Exception e) { // Curator declares no narrower type.
            complain(e);
            return Optional.empty();
        }
    }

    private Optional<ProfileRecord> usable(byte[] data, String modelTag) {
        String path = ZkPaths.knownProfile(applicationId);
        try {
            Optional<String> stranger =
                    acl.strangerWhoMayWrite(connected().getACL().forPath(path));
            if (stranger.isPresent()) {
                LOG.warn("{} may be written by {}: it is ignored, the job is profiled", path, stranger.get());
                return Optional.empty();
            }
            ProfileRecord known = ProfileRecord.fromJson(path, new String(data, StandardCharsets.UTF_8));
            if (modelTag.isEmpty() || !known.modelTag().equals(modelTag)) {
                LOG.warn(
                        "{} is of the model '{}', this job's is '{}': it is ignored, the job is profiled",
                        path,
                        known.modelTag(),
                        modelTag);
                return Optional.empty();
            }
            if (known.points().isEmpty()) {
                LOG.warn("{} has no points: it is ignored, the job is profiled", path);
                return Optional.empty();
            }
            LOG.info("the model '{}' is known from {}: it is not profiled again", modelTag, known.applicationId());
            return Optional.of(known);
        } catch (WireFormatException e) {
            LOG.warn("{} is ignored, the job is profiled: {}", path, e.getMessage());
            return Optional.empty();
        } catch (Exception e) { // Curator declares no narrower type.
            complain(e);
            return Optional.empty();
        }
    }

    /** Writes what is due, if ZooKeeper is there. */
    void flush() {
        try {
            thread.submit(this::writeDue).get(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("the job's last profile could not be written to ZooKeeper: {}", e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        zooKeeper.close();
    }
}
