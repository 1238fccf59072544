// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.core.model.ProfiledMatrix;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A profile that the ResourceManager keeps.
 *
 * @param key where it lies: {@code user/model/gpu/batch}
 * @param usablePoints those that are not too old to say something
 * @param rmsError how sure the curve is now: root mean square of its points' relative standard errors
 */
record StoredProfile(String key, String user, ProfileRecord record, int usablePoints, OptionalDouble rmsError) {
    /** What stands for the GPU model of jobs without GPUs. */
    static final String NO_GPU = "none";

    /** @throws ClientException if the answer is not the ResourceManager's */
    static List<StoredProfile> listIn(JsonNode answer) {
        List<StoredProfile> profiles = new ArrayList<>();
        for (JsonNode item : answer.path("profiles")) {
            String key = item.path("key").asText();
            try {
                ProfileRecord record = ProfileRecord.fromJson("profile '" + key + "'", item.toString());
                profiles.add(new StoredProfile(
                        key,
                        item.path("user").asText(),
                        record,
                        item.path("usablePoints").asInt(record.points().size()),
                        item.hasNonNull("rmsError")
                                ? OptionalDouble.of(item.path("rmsError").asDouble())
                                : OptionalDouble.empty()));
            } catch (WireFormatException e) {
                throw new ClientException(String.valueOf(e.getMessage()), e);
            }
        }
        return profiles;
    }

    String gpu() {
        return record.gpuModel().isEmpty() ? NO_GPU : record.gpuModel();
    }

    /** Its name for people. */
    String title() {
        String batch = record.batchSize() == 0 ? "batch size unknown" : "batch size " + record.batchSize();
        String gpu = record.gpuModel().isEmpty() ? "without GPUs" : "on " + record.gpuModel();
        return record.modelTag() + " " + gpu + ", " + batch + ", of " + user;
    }

    /** What jobs are planned with on nodes whose storage is like that of the node where it was measured. */
    Optional<SensitivityMatrix> matrix() {
        return ProfiledMatrix.of(record);
    }

    String useful() {
        return matrix().map(m -> Long.toString(m.demand(0).vcores())).orElse("–");
    }

    String sure() {
        return usablePoints == 0 ? "too old" : rmsError.isPresent() ? percent(rmsError.getAsDouble()) : "unknown";
    }

    static String percent(double error) {
        return error > 0 ? "± " + String.format(java.util.Locale.ROOT, "%.1f %%", 100 * error) : "unknown";
    }
}
