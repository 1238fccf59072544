// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.wire.DeviceTag;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocation tags that are the scheduler's alone. A NodeManager hands out the GPUs that a container's tags name: a user
 * who could set such a tag could take any card.
 */
public final class ReservedTags {
    private static final Logger LOG = LoggerFactory.getLogger(ReservedTags.class);

    private ReservedTags() {}

    /**
     * @throws YarnRuntimeException if a request brings a reserved tag: Hadoop answers the
     *     ApplicationMaster's heartbeat with it, and nothing of the heartbeat is carried out
     */
    public static void refuseIn(@Nullable List<SchedulingRequest> requests) {
        for (SchedulingRequest request : requests == null ? List.<SchedulingRequest>of() : requests) {
            first(request).ifPresent(tag -> {
                throw RefusedRequest.of("treadle: allocation tag '" + tag
                        + "' of the scheduling request " + request.getAllocationRequestId() + " begins with '"
                        + DeviceTag.RESERVED_PREFIX
                        + "', which the scheduler keeps for itself. Name the tag otherwise.");
            });
        }
    }

    /** Whether the request brings a reserved tag; the log says which. */
    public static boolean isIn(SchedulingRequest request, ApplicationAttemptId attempt) {
        Optional<String> tag = first(request);
        tag.ifPresent(t -> LOG.warn(
                "Scheduling request {} of {} is refused: its allocation tag '{}' is the scheduler's",
                request.getAllocationRequestId(),
                attempt,
                t));
        return tag.isPresent();
    }

    private static Optional<String> first(SchedulingRequest request) {
        @Nullable Set<String> tags = request.getAllocationTags();
        return tags == null
                ? Optional.empty()
                : tags.stream().filter(ReservedTags::isReserved).sorted().findFirst();
    }

    /** The tags that are a user's own. */
    static Set<String> without(@Nullable Collection<String> tags) {
        Set<String> own = new HashSet<>(tags == null ? Set.of() : tags);
        own.removeIf(ReservedTags::isReserved);
        return own;
    }

    private static boolean isReserved(String tag) {
        return tag.startsWith(DeviceTag.RESERVED_PREFIX);
    }
}
