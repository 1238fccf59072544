// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finished profiles, kept for the next job of the same user, model tag, GPU model and batch size. */
final class ProfileStore {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileStore.class);

    private final CuratorFramework client;
    private final ZkAccess access;

    ProfileStore(CuratorFramework client, ZkAccess access) {
        this.client = client;
        this.access = access;
    }

    void keep(String user, GangSpec spec, ProfileRecord profile) {
        if (spec.modelTag().isEmpty()
                || profile.phase() != ProfileRecord.Phase.READY
                || profile.points().isEmpty()) {
            return;
        }
        access.write(
                client,
                ZkPaths.storedProfile(user, spec.modelTag(), profile.gpuModel(), profile.batchSize()),
                profile.toJson(),
                access.own());
    }

    /** Copies the newest profile that fits the job to where its ApplicationMaster reads it. */
    void offer(String applicationId, String user, GangSpec spec) {
        if (spec.modelTag().isEmpty()) {
            return;
        }
        Set<String> models = Set.copyOf(spec.groups().get(0).gpuModels());
        find(user, spec.modelTag()).stream()
                .filter(p -> models.isEmpty() || models.contains(p.gpuModel()))
                .max(Comparator.comparingLong(ProfileRecord::updatedMs))
                .ifPresent(p -> access.write(
                        client, ZkPaths.knownProfile(applicationId), p.toJson(), access.withJob(spec.zkDigest())));
    }

    private List<ProfileRecord> find(String user, String modelTag) {
        String tagPath = parent(parent(ZkPaths.storedProfile(user, modelTag, "model", 0)));
        List<ProfileRecord> found = new ArrayList<>();
        for (String model : children(tagPath)) {
            for (String batch : children(tagPath + "/" + model)) {
                read(tagPath + "/" + model + "/" + batch).ifPresent(found::add);
            }
        }
        return found;
    }

    private List<String> children(String path) {
        try {
            return client.checkExists().forPath(path) == null
                    ? List.of()
                    : client.getChildren().forPath(path);
        } catch (Exception e) {
            ZkAccess.failed("list", path, e);
            return List.of();
        }
    }

    private Optional<ProfileRecord> read(String path) {
        try {
            String text = new String(client.getData().forPath(path), StandardCharsets.UTF_8);
            return Optional.of(ProfileRecord.fromJson(path, text));
        } catch (WireFormatException e) {
            LOG.warn("Stored profile is ignored: {}", e.getMessage());
        } catch (Exception e) {
            ZkAccess.failed("read", path, e);
        }
        return Optional.empty();
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
