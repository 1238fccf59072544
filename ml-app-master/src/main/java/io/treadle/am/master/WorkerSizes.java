// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.web.JobStatus;
import io.treadle.core.wire.ResourcesFile;
import java.util.Map;
import java.util.function.LongConsumer;
import org.slf4j.Logger;

/** What a member's reports say of its sizes and its worker's faults. */
final class WorkerSizes {
    private WorkerSizes() {}

    /** Takes over the sizes that the worker has seen; {@code onChange} gets the new vcores while the old still stand. */
    static void seen(Member member, ResourcesFile sizes, LongConsumer onChange) {
        if (sizes.version() < member.versionSeen) {
            return;
        }
        if (member.vcoresSeen > 0 && sizes.vcores() != member.vcoresSeen) {
            onChange.accept(sizes.vcores());
        }
        member.versionSeen = sizes.version();
        member.vcoresSeen = sizes.vcores();
        member.devices =
                sizes.devices().stream().map(ResourcesFile.Device::uuid).toList();
        if (sizes.version() > member.version) {
            // The scheduler's own resizes reach the node first.
            member.version = sizes.version();
            member.vcores = sizes.vcores();
            member.memoryMiB = sizes.memoryMiB();
        }
    }

    /** Logs what is wrong with a progress file, once for each kind. */
    static void complain(Member member, Map<String, Long> problems, Logger log) {
        if (problems.isEmpty()) {
            return;
        }
        String kinds = String.join(", ", problems.keySet());
        if (!kinds.equals(member.lastProblem)) {
            member.lastProblem = kinds;
            log.warn(
                    "progress file of {} has bad lines, they are left out (kind and count): {}", member.id(), problems);
        }
    }

    static JobStatus.Worker status(Member member, Gang.Slot slot, String group, int rank, String user) {
        return new JobStatus.Worker(
                member.id(),
                member.granted.host(),
                group,
                rank,
                member.vcoresSeen > 0 ? member.vcoresSeen : member.vcores,
                member.memoryMiB,
                member.devices,
                slot.samples,
                member.samplesPerSecond,
                member.cpuSeconds,
                member.vcoreSeconds,
                "http://" + member.granted.nodeHttpAddress() + "/node/containerlogs/" + member.id() + "/" + user);
    }
}
