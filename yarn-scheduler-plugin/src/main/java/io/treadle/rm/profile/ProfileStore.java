// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finished profiles, kept for the next job of the same user, model tag, GPU model and batch size. Calls wait for
 * ZooKeeper and throw what Curator throws.
 */
public final class ProfileStore {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileStore.class);

    /** Profiles of one user. */
    public static final int MOST_OF_A_USER = 200;
    /** What is read for one answer ends beyond so many characters of records. */
    static final int MOST_CHARACTERS = 8 << 20;

    /**
     * Profiles in the order of their keys.
     *
     * @param more whether others follow
     * @param looked how many were looked at, with those that cannot be read
     */
    public record Found(Map<ProfileKey, ProfileRecord> profiles, boolean more, int looked) {}

    private static final Comparator<ProfileKey> ORDER = Comparator.comparing(ProfileKey::user)
            .thenComparing(ProfileKey::model)
            .thenComparing(ProfileKey::gpu)
            .thenComparing(key -> Long.toString(key.batch()));

    private final CuratorFramework client;
    private final ZkAccess access;
    private final InstantSource clock;

    ProfileStore(CuratorFramework client, ZkAccess access, InstantSource clock) {
        this.client = client;
        this.access = access;
        this.clock = clock;
    }

    /** Whether ZooKeeper is there now. */
    public boolean isReachable() {
        return client.getZookeeperClient().isConnected();
    }

    /** The profile as it can be trusted now: what is old has larger errors, and what is too old is left out. */
    public static ProfileRecord trusted(ProfileRecord profile, long nowMs) {
        return ProfileMerge.faded(profile, nowMs);
    }

    /**
     * Profiles that can be read, in the order of their keys. Users whose profiles are not asked for cost nothing, and reading
     * ends where enough are found, or {@link #MOST_CHARACTERS} of them: each profile is a call to ZooKeeper, and may be as large as
     * ZooKeeper lets it be.
     *
     * @param users whose profiles, by the name that they are stored under
     * @param skipped how many of them come before those that are asked for
     * @param most how many at most
     */
    @SuppressWarnings("IllegalThrows") // Curator declares no narrower type.
    public Found of(Predicate<String> users, long skipped, int most) throws Exception {
        Map<ProfileKey, ProfileRecord> found = new LinkedHashMap<>();
        long left = skipped;
        long characters = 0;
        int looked = 0;
        for (String user : children(ZkPaths.PROFILES)) {
            if (users.test(user)) {
                for (String model : children(ZkPaths.PROFILES + "/" + user)) {
                    for (ProfileKey key : keys(user, model)) {
                        if (looked >= most || characters > MOST_CHARACTERS) {
                            return new Found(found, true, looked);
                        }
                        if (left > 0) {
                            left--;
                        } else {
                            looked++;
                            String text = text(key.path());
                            characters += text.length();
                            record(key.path(), text).ifPresent(profile -> found.put(key, profile));
                        }
                    }
                }
            }
        }
        return new Found(found, false, looked);
    }

    /** The first of all that can be read, by key: as many as {@link #of} gives at once. */
    @SuppressWarnings("IllegalThrows")
    public Map<ProfileKey, ProfileRecord> all() throws Exception {
        return of(user -> true, 0, Integer.MAX_VALUE).profiles();
    }

    @SuppressWarnings("IllegalThrows")
    public Optional<ProfileRecord> find(ProfileKey key) throws Exception {
        return read(key.path());
    }

    /**
     * Replaces what there is under the key.
     *
     * @return false where it would be one of more than {@link #MOST_OF_A_USER} of its user: nothing is stored
     */
    @SuppressWarnings("IllegalThrows")
    public synchronized boolean put(ProfileKey key, ProfileRecord profile) throws Exception {
        if (client.checkExists().forPath(key.path()) == null && of(key.user()).size() >= MOST_OF_A_USER) {
            return false;
        }
        write(key, profile);
        return true;
    }

    private void write(ProfileKey key, ProfileRecord profile) throws Exception {
        access.write(client, key.path(), profile.toJson(), access.own());
    }

    private List<ProfileKey> of(String user) throws Exception {
        List<ProfileKey> keys = new ArrayList<>();
        for (String model : children(ZkPaths.PROFILES + "/" + user)) {
            keys.addAll(keys(user, model));
        }
        return keys;
    }

    /** For one that a job has measured: the user's oldest goes, as every job may have a model tag of its own. */
    private void makeRoom(ProfileKey key) throws Exception {
        if (client.checkExists().forPath(key.path()) != null) {
            return;
        }
        List<ProfileKey> known = of(key.user());
        if (known.size() < MOST_OF_A_USER) {
            return;
        }
        Map<ProfileKey, Long> changedMs = new HashMap<>();
        for (ProfileKey each : known) {
            Stat stat = client.checkExists().forPath(each.path());
            changedMs.put(each, stat == null ? 0L : stat.getMtime());
        }
        known.sort(Comparator.comparing(changedMs::get));
        for (int i = 0; i <= known.size() - MOST_OF_A_USER; i++) {
            LOG.info(
                    "Stored profile {} is forgotten: its user has {} already, the most that are kept",
                    known.get(i),
                    known.size());
            var unused = forget(known.get(i));
        }
    }

    /** Returns what was there. */
    @SuppressWarnings("IllegalThrows")
    public synchronized Optional<ProfileRecord> forget(ProfileKey key) throws Exception {
        Optional<ProfileRecord> was = find(key);
        access.delete(client, key.path());
        deleteEmptyAbove(key.path());
        return was;
    }

    private void deleteEmptyAbove(String path) throws Exception {
        String above = path.substring(0, path.lastIndexOf('/'));
        if (above.equals(ZkPaths.PROFILES)) {
            return;
        }
        try {
            client.delete().quietly().forPath(above);
        } catch (KeeperException.NotEmptyException e) {
            return;
        }
        deleteEmptyAbove(above);
    }

    /**
     * The keys that come after one, in the order of their keys: from the first on where there is none.
     *
     * @param most how many at most
     */
    List<ProfileKey> after(Optional<ProfileKey> key, int most) throws Exception {
        List<ProfileKey> found = new ArrayList<>();
        for (String user : children(ZkPaths.PROFILES)) {
            if (key.isPresent() && user.compareTo(key.get().user()) < 0) {
                continue;
            }
            for (String model : children(ZkPaths.PROFILES + "/" + user)) {
                if (key.isPresent()
                        && user.equals(key.get().user())
                        && model.compareTo(key.get().model()) < 0) {
                    continue;
                }
                for (ProfileKey each : keys(user, model)) {
                    if (found.size() == most) {
                        return found;
                    }
                    if (key.isEmpty() || ORDER.compare(each, key.get()) > 0) {
                        found.add(each);
                    }
                }
            }
        }
        return found;
    }

    /**
     * Merges what a job has measured into what there is.
     *
     * @param gpuModel what the scheduler knows the job ran on
     * @param startedFrom what the job was offered
     */
    synchronized void keep(
            String user, GangSpec spec, ProfileRecord profile, String gpuModel, Optional<ProfileRecord> startedFrom)
            throws Exception {
        if (spec.modelTag().isEmpty()
                || profile.phase() != ProfileRecord.Phase.READY
                || !profile.complete()
                || profile.points().isEmpty()) {
            return;
        }
        ProfileKey key = ProfileKey.of(user, spec.modelTag(), gpuModel, profile.batchSize());
        Optional<ProfileRecord> stored = find(key).filter(p -> p.gpuModel().equals(gpuModel));
        Optional<ProfileRecord> merged =
                ProfileMerge.merged(stored, startedFrom, profile.withGpuModel(gpuModel), clock.millis());
        if (merged.isPresent()) {
            makeRoom(key);
            write(key, merged.get());
        }
    }

    /**
     * Copies the newest profile of the job's user, model tag, GPU model and batch size, as far as it can be trusted now,
     * to where its ApplicationMaster reads it; where there is none, it finds none.
     */
    Optional<ProfileRecord> offer(String applicationId, String user, GangSpec spec, String gpuModel) throws Exception {
        Optional<ProfileRecord> known = spec.modelTag().isEmpty()
                ? Optional.empty()
                : of(ZkPaths.name(user), ZkPaths.name(spec.modelTag())).values().stream()
                        .filter(p ->
                                p.gpuModel().equals(gpuModel) && p.modelTag().equals(spec.modelTag()))
                        .filter(p -> spec.batchSize() == 0 || p.batchSize() == spec.batchSize())
                        .max(Comparator.comparingLong(ProfileRecord::updatedMs))
                        .map(p -> ProfileMerge.faded(p, clock.millis()))
                        .filter(p -> !p.points().isEmpty());
        String path = ZkPaths.knownProfile(applicationId);
        if (known.isPresent()) {
            access.write(client, path, known.get().toJson(), access.withJob(spec.zkDigest()));
        } else {
            access.delete(client, path);
        }
        return known;
    }

    private Map<ProfileKey, ProfileRecord> of(String user, String model) throws Exception {
        Map<ProfileKey, ProfileRecord> found = new LinkedHashMap<>();
        for (ProfileKey key : keys(user, model)) {
            read(key.path()).ifPresent(profile -> found.put(key, profile));
        }
        return found;
    }

    private List<ProfileKey> keys(String user, String model) throws Exception {
        String path = ZkPaths.PROFILES + "/" + user + "/" + model;
        List<ProfileKey> keys = new ArrayList<>();
        for (String gpu : children(path)) {
            for (String batch : children(path + "/" + gpu)) {
                if (batch.matches("[0-9]{1,18}")) {
                    keys.add(new ProfileKey(user, model, gpu, Long.parseLong(batch)));
                }
            }
        }
        return keys;
    }

    private List<String> children(String path) throws Exception {
        return client.checkExists().forPath(path) == null
                ? List.of()
                : client.getChildren().forPath(path).stream().sorted().toList();
    }

    private Optional<ProfileRecord> read(String path) throws Exception {
        return record(path, text(path));
    }

    /** Empty where there is none. */
    private String text(String path) throws Exception {
        try {
            return new String(client.getData().forPath(path), StandardCharsets.UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return "";
        }
    }

    private static Optional<ProfileRecord> record(String path, String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(ProfileRecord.fromJson(path, text));
        } catch (WireFormatException e) {
            LOG.warn("Stored profile is ignored: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
