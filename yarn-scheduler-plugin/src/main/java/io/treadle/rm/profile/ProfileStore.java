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

    /** @param gpuModel what the scheduler knows the job ran on */
    void keep(String user, GangSpec spec, ProfileRecord profile, String gpuModel) throws Exception {
        if (spec.modelTag().isEmpty()
                || profile.phase() != ProfileRecord.Phase.READY
                || profile.points().isEmpty()) {
            return;
        }
        access.write(
                client,
                ZkPaths.storedProfile(user, spec.modelTag(), gpuModel, profile.batchSize()),
                profile.withGpuModel(gpuModel).toJson(),
                access.own());
    }

    /**
     * Copies the newest profile of the job's user, model tag, GPU model and batch size to where its ApplicationMaster
     * reads it; where there is none, it finds none.
     */
    Optional<ProfileRecord> offer(String applicationId, String user, GangSpec spec, String gpuModel) throws Exception {
        Optional<ProfileRecord> known = spec.modelTag().isEmpty()
                ? Optional.empty()
                : find(user, spec.modelTag()).stream()
                        .filter(p -> p.gpuModel().equals(gpuModel))
                        .filter(p -> spec.batchSize() == 0 || p.batchSize() == spec.batchSize())
                        .max(Comparator.comparingLong(ProfileRecord::updatedMs));
        String path = ZkPaths.knownProfile(applicationId);
        if (known.isPresent()) {
            access.write(client, path, known.get().toJson(), access.withJob(spec.zkDigest()));
        } else {
            access.delete(client, path);
        }
        return known;
    }

    private List<ProfileRecord> find(String user, String modelTag) throws Exception {
        String tagPath = parent(parent(ZkPaths.storedProfile(user, modelTag, "model", 0)));
        List<ProfileRecord> found = new ArrayList<>();
        for (String model : children(tagPath)) {
            for (String batch : children(tagPath + "/" + model)) {
                read(tagPath + "/" + model + "/" + batch).ifPresent(found::add);
            }
        }
        return found;
    }

    private List<String> children(String path) throws Exception {
        return client.checkExists().forPath(path) == null
                ? List.of()
                : client.getChildren().forPath(path);
    }

    private Optional<ProfileRecord> read(String path) throws Exception {
        try {
            String text = new String(client.getData().forPath(path), StandardCharsets.UTF_8);
            return Optional.of(ProfileRecord.fromJson(path, text));
        } catch (WireFormatException e) {
            LOG.warn("Stored profile is ignored: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
