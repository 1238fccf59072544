// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.EnergySeries;
import io.treadle.am.profile.SampleSeries;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Optional;

/** One container of the job: what was granted, and what its runner last said. Guarded by the {@link JobMaster}. */
final class Member {
    final GrantedContainer granted;
    final SampleSeries series = new SampleSeries();

    /** Vcores and token version now, by the ResourceManager's word or the node's file, whichever is newer. */
    long vcores;

    long memoryMiB;
    int version;

    /** Vcores that the worker has seen for itself; 0 before its first report. */
    long vcoresSeen;

    /** Memory that the worker has seen for itself; 0 before its first report. */
    long memorySeenMiB;

    int versionSeen = -1;
    List<String> devices = List.of();

    boolean registered;
    String runnerHost = "";
    int runnerPort;
    /** When it was launched or inherited, seconds of the job's clock. */
    double sinceSeconds;

    double lastCallSeconds;

    /** The start of the gang that it belongs to; 0 for none. */
    int gangEpoch;

    /**
     * Whether a failure of its start or its launch has been judged. Until it is part of another start, its own loss belongs
     * to that failure.
     */
    boolean failureJudged;

    ReportMessage.State state = ReportMessage.State.WAITING;
    int reportedEpoch;
    int masterPort;
    /** Its worker has ended well. */
    boolean done;
    /** Its container has ended after that. */
    boolean gone;

    /** Where it came to a start that ran already, samples that its place had done before; else -1. */
    long joinedAfter = -1;

    /** The command to leave the others, who train on; empty while it is not to. */
    Optional<WorkerCommand> leave = Optional.empty();

    double samplesPerSecond;
    double cpuSeconds;
    double vcoreSeconds;
    /** Samples of each of its gradient passes now; 0 where unknown. */
    long batchSize;

    /** Gradient passes of a step; 0 where its worker does not say. */
    long passes;

    /** The largest batch that it chose by itself: names the profile. */
    long ownBatchSize;

    /** Whether it was asked to train with another batch than its own. */
    boolean triesBatch;

    /** Resident memory of its processes; 0 where unknown. */
    long residentMiB;

    /** Storage bandwidth that it is held to, as the worker has seen it; 0 for none. */
    long storageMBps;

    /** Power that its container has, as the worker has seen it, W; 0 for no cap. */
    long watts;

    /** What its GPUs have spent and how they are capped; empty while the node does not say. */
    Optional<EnergyFile> energy = Optional.empty();

    final EnergySeries energySeries = new EnergySeries();

    /** What the scheduler wants its caches to keep to. */
    MemoryLimit memoryWanted = MemoryLimit.NONE;

    /** When it last wanted something new, seconds of the job's clock. */
    double memoryWantedSeconds;

    final CpuUse cpu = new CpuUse();

    /** What its worker says that it reads. */
    Optional<DataReport> data = Optional.empty();

    long answeredCommand;

    /** Why its worker cannot obey the command that it answered last; empty where it can. */
    String refused = "";

    final BadLines badLines = new BadLines();
    /** Whether its runner cannot see the directory into which its node writes. */
    boolean controlHidden;

    /** A line for people; empty where there is nothing to say. */
    Optional<String> hiddenControl(int rank) {
        return controlHidden
                ? Optional.of("worker " + rank + " cannot see its node's control directory: it knows no states of"
                        + " devices and no energy. Maybe docker.allowed.ro-mounts of " + granted.host()
                        + " lacks it")
                : Optional.empty();
    }

    Member(GrantedContainer granted, double nowSeconds) {
        this.granted = granted;
        this.vcores = granted.vcores();
        this.memoryMiB = granted.memoryMiB();
        this.version = granted.version();
        this.sinceSeconds = nowSeconds;
        this.lastCallSeconds = nowSeconds;
    }

    /** One that had done its part when an earlier ApplicationMaster was there, and whose container has ended. */
    static Member ended(SavedState.Slot old, double nowSeconds) {
        Member member = new Member(
                new GrantedContainer(old.containerId(), old.runnerHost(), "", old.requestId(), 0, 0, 0), nowSeconds);
        member.gone = true;
        return member;
    }

    /** Whether more is known of its container than that it was there. */
    boolean isKnown() {
        return !granted.nodeHttpAddress().isEmpty();
    }

    String id() {
        return granted.id();
    }

    /** It is part of a start from now on. */
    void joinStart(int epoch) {
        gangEpoch = epoch;
        failureJudged = false;
    }

    /** Its worker is to be started again. */
    void startOver() {
        done = false;
        gangEpoch = 0;
        joinedAfter = -1;
        leave = Optional.empty();
        series.clear();
        data = Optional.empty();
        samplesPerSecond = 0;
    }

    /** Its worker trains with so many samples in each of so many passes; 0 where it does not say. */
    void batch(long size, long count) {
        passes = count;
        batchSize = size;
        ownBatchSize = triesBatch ? ownBatchSize : Math.max(ownBatchSize, size);
    }

    /** The container's size has changed; older news is left out. */
    void resized(long newVcores, long newMemoryMiB, int newVersion) {
        if (newVersion >= version) {
            version = newVersion;
            vcores = newVcores;
            memoryMiB = newMemoryMiB;
        }
    }

    /** The sizes in the form that a worker reads, for nodes without our plugin. */
    ResourcesFile sizes() {
        return new ResourcesFile(version, vcores, null, memoryMiB, 0, 0, 0, List.of());
    }

    /** Whether its worker is stopped and it waits for this start. */
    boolean readyFor(int epoch) {
        return registered && state == ReportMessage.State.WAITING && reportedEpoch == epoch && masterPort > 0;
    }
}
