// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.web.JobStatus;
import io.treadle.core.wire.ResourcesFile;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** What runners' reports say of their workers. */
final class WorkerReports {
    private WorkerReports() {}

    /** Takes over what the report says, but for its progress and sizes. */
    static void take(Member member, ReportMessage message, double nowSeconds) {
        member.lastCallSeconds = nowSeconds;
        member.state = message.state();
        member.reportedEpoch = message.epoch();
        member.masterPort = message.masterPort();
        member.cpuSeconds = message.cpuSeconds();
        member.vcoreSeconds = message.vcoreSeconds();
        member.residentMiB = message.residentMiB();
        member.cpu.look(nowSeconds, message.cpuSeconds(), member.vcoresSeen, message.coresPerVcore());
        member.batch(message.batchSize(), message.passes());
        member.answeredCommand = message.answeredEpoch();
        member.refused = message.refused();
        member.data = message.data().or(() -> member.data);
        member.energy = message.energy().map(ReportMessage.Energy::file);
        message.energy()
                .ifPresent(e -> member.energySeries.add(
                        nowSeconds - e.ageSeconds(), e.file().millijoules() / 1e3));
        Map<String, Long> problems = new HashMap<>(message.problems());
        member.controlHidden = problems.remove(ReportMessage.CONTROL_DIRECTORY_HIDDEN) != null;
        member.badLines.look(member.id(), problems, nowSeconds);
    }

    /** Takes over how far the worker is, and was since its last report. */
    static void progress(Member member, ReportMessage message, double nowSeconds) {
        for (ReportMessage.Reading reading : message.readings()) {
            if (reading.samples() <= message.samples()) {
                member.series.add(nowSeconds - reading.ageSeconds(), (double) reading.samples());
            }
        }
        member.series.add(nowSeconds - message.progressAgeSeconds(), (double) message.samples());
    }

    static String describe(FinishedMessage message, int index, String group) {
        return "worker " + index + " of group '" + group + "' (" + message.containerId() + ") ended with exit code "
                + message.exitCode() + " after " + Math.round(message.ranSeconds()) + " s";
    }

    /**
     * Takes over the sizes that the worker has seen; what is to be told of changes gets the new ones while the old
     * still stand.
     */
    static void seen(Member member, ResourcesFile sizes, LongConsumer onVcores, LongConsumer onMemory) {
        if (sizes.version() < member.versionSeen) {
            return;
        }
        if (member.vcoresSeen > 0 && sizes.vcores() != member.vcoresSeen) {
            onVcores.accept(sizes.vcores());
        }
        if (member.memorySeenMiB > 0 && sizes.memoryMiB() != member.memorySeenMiB) {
            onMemory.accept(sizes.memoryMiB());
        }
        member.versionSeen = sizes.version();
        member.vcoresSeen = sizes.vcores();
        member.memorySeenMiB = sizes.memoryMiB();
        member.storageMBps = sizes.storageMBps();
        member.watts = sizes.powerWatts();
        member.devices =
                sizes.devices().stream().map(ResourcesFile.Device::uuid).toList();
        // The scheduler's own resizes reach the node first.
        member.resized(sizes.vcores(), sizes.memoryMiB(), sizes.version());
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
                member.data,
                "http://" + member.granted.nodeHttpAddress() + "/node/containerlogs/" + member.id() + "/" + user);
    }
}
