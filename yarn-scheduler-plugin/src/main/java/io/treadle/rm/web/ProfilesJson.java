// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.model.ProfiledMatrix;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.profile.ProfileKey;
import io.treadle.rm.profile.ProfileStore;
import java.io.UncheckedIOException;

/** Stored profiles as JSON: the records themselves, with where they lie and what follows from them. */
final class ProfilesJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ProfilesJson() {}

    /** @param found those of the page; fewer than it may have, where they are large */
    static String list(ProfileStore.Found found, PageOf page, long nowMs) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("offset", page.offset()).put("limit", page.limit()).put("more", found.more());
        if (found.more()) {
            root.put("next", page.offset() + found.looked());
        }
        ArrayNode array = root.putArray("profiles");
        found.profiles().forEach((key, profile) -> array.add(node(key, profile, nowMs)));
        return root.toString();
    }

    static String one(ProfileKey key, ProfileRecord profile, long nowMs) {
        return node(key, profile, nowMs).toString();
    }

    private static ObjectNode node(ProfileKey key, ProfileRecord profile, long nowMs) {
        try {
            ObjectNode json = (ObjectNode) MAPPER.readTree(profile.toJson());
            json.put("key", key.toString()).put("user", key.user());
            ProfileRecord trusted = ProfileStore.trusted(profile, nowMs);
            json.put("usablePoints", trusted.points().size());
            trusted.rmsError().ifPresent(error -> json.put("rmsError", error));
            ProfiledMatrix.of(profile)
                    .ifPresent(
                            matrix -> json.put("usefulVcores", matrix.demand(0).vcores()));
            return json;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was done to a profile. */
    static String change(String done, ProfileKey key, ProfileRecord profile, boolean wasThere) {
        return MAPPER.createObjectNode()
                .put(done, key.toString())
                .put("points", profile.points().size())
                .put("jobs", profile.jobs())
                .put("replaced", wasThere)
                .toString();
    }

    /** In Hadoop's form. */
    static String error(String message) {
        ObjectNode root = MAPPER.createObjectNode();
        root.putObject("RemoteException")
                .put("exception", "ServiceUnavailableException")
                .put("message", message);
        return root.toString();
    }
}
