// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.core.job.DeviceShare;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.result.JobGoals;
import io.treadle.simulator.trace.TraceJob;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Which job ran where from when to when. A run is a stretch of time in which a job stays in its place; leases that
 * follow each other in one place are one run. Runs are numbered by their starts; each has one or more pieces: a node
 * and what it holds there.
 */
public final class RunLog implements Journal {
    /** A GPU counts as so many parts. */
    static final int CARD = 1000;
    /** End of a run that goes on when the simulation is over, and of a job that has none. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int NONE = -1;

    private final SimCluster cluster;
    private final NodeTable nodes;
    private final List<TraceJob> jobs;
    private final Ints runJob = new Ints();
    private final Ints runPiece = new Ints();
    /** The job's run before where this one began by a move; −1 for others. */
    private final Ints runMovedFrom = new Ints();

    private final Longs runFrom = new Longs();
    private final Longs runTo = new Longs();
    private final Ints pieceNode = new Ints();
    private final Ints pieceParts = new Ints();
    /** The GPU of the node; −1 where only their number is known. */
    private final Ints pieceSlot = new Ints();

    private final int[] lastRun;
    private final boolean[] hasReturned;
    private final boolean[] isLeftOut;
    private final long[] endMs;
    private final double[] lostGpuSeconds;
    /** Runs that a node's failure ended. */
    private final BitSet failed = new BitSet();
    /** When nodes went down or came up, in order of time. */
    private final Longs nodeMs = new Longs();
    /** Which: its number where it came up, the complement of that where it went down. */
    private final Ints nodeChange = new Ints();

    private Optional<Draw> draw = Optional.empty();
    private int came;
    private long lastMs;

    /** @param jobs in order of submission */
    public RunLog(SimCluster cluster, List<TraceJob> jobs) {
        this.cluster = cluster;
        this.nodes = new NodeTable(cluster);
        this.jobs = jobs;
        lastRun = new int[jobs.size()];
        Arrays.fill(lastRun, NONE);
        hasReturned = new boolean[jobs.size()];
        isLeftOut = new boolean[jobs.size()];
        endMs = new long[jobs.size()];
        lostGpuSeconds = new double[jobs.size()];
        Arrays.fill(endMs, NEVER);
        lastMs = jobs.isEmpty() ? 0 : jobs.get(0).submitMs();
    }

    @Override
    public void came(JobRun job, long nowMs) {
        came++;
        lastMs = nowMs;
    }

    @Override
    public void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {
        int first = pieceNode.size();
        for (TaskPlacement task : tasks) {
            add(first, task);
        }
        started(job.index(), nowMs, first);
    }

    @Override
    public void moved(JobRun job, long nowMs, List<TaskPlacement> tasks) {
        int before = lastRun[job.index()];
        close(job.index(), nowMs);
        started(job, nowMs, tasks);
        runMovedFrom.set(runMovedFrom.size() - 1, before);
    }

    /** @param first the first of its pieces, which have been added */
    private void started(int job, long nowMs, int first) {
        lastMs = nowMs;
        int before = lastRun[job];
        if (hasReturned[job] && runTo.get(before) == nowMs && hasPieces(before, first)) {
            runTo.set(before, NEVER);
            pieceNode.shrink(first);
            pieceParts.shrink(first);
            pieceSlot.shrink(first);
        } else {
            lastRun[job] = runJob.size();
            runJob.add(job);
            runFrom.add(nowMs);
            runTo.add(NEVER);
            runMovedFrom.add(NONE);
            runPiece.add(first);
        }
        hasReturned[job] = false;
    }

    private void add(int first, TaskPlacement task) {
        int node = nodes.index(task.nodeId());
        if (task.devices().isEmpty()) {
            long parts = task.size().gpus() * CARD + task.size().gpuMemoryMiB() * CARD / nodes.cardMiB(node);
            int last = pieceNode.size() - 1;
            if (last >= first && pieceNode.get(last) == node && pieceSlot.get(last) == NONE && parts % CARD == 0) {
                parts += pieceParts.get(last);
                pieceNode.shrink(last);
                pieceParts.shrink(last);
                pieceSlot.shrink(last);
            }
            piece(node, Math.toIntExact(parts), NONE);
            return;
        }
        for (DeviceShare device : task.devices()) {
            long parts = device.whole() ? CARD : device.memoryMiB() * CARD / nodes.cardMiB(node);
            piece(node, Math.toIntExact(parts), nodes.slot(device.uuid()));
        }
    }

    private void piece(int node, int parts, int slot) {
        pieceNode.add(node);
        pieceParts.add(parts);
        pieceSlot.add(slot);
    }

    /** Whether the run has just the pieces from {@code first} to the last. */
    private boolean hasPieces(int run, int first) {
        int own = runPiece.get(run);
        // Nothing has been added for the new run yet, so its pieces are those after the last run's.
        int end = run + 1 < runPiece.size() ? runPiece.get(run + 1) : first;
        int count = pieceNode.size() - first;
        if (end - own != count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (pieceNode.get(own + i) != pieceNode.get(first + i)
                    || pieceParts.get(own + i) != pieceParts.get(first + i)
                    || pieceSlot.get(own + i) != pieceSlot.get(first + i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void stopped(JobRun job, long nowMs) {
        close(job.index(), nowMs);
    }

    @Override
    public void failed(JobRun job, long nowMs) {
        close(job.index(), nowMs);
        failed.set(lastRun[job.index()]);
    }

    @Override
    public void nodeDown(String node, long nowMs) {
        nodeMs.add(nowMs);
        nodeChange.add(~nodes.index(node));
        lastMs = nowMs;
    }

    @Override
    public void nodeUp(String node, long nowMs) {
        nodeMs.add(nowMs);
        nodeChange.add(nodes.index(node));
        lastMs = nowMs;
    }

    @Override
    public void returned(JobRun job, long nowMs) {
        close(job.index(), nowMs);
        hasReturned[job.index()] = true;
    }

    @Override
    public void ended(JobRun job, long nowMs) {
        close(job.index(), nowMs);
        endMs[job.index()] = nowMs;
        lostGpuSeconds[job.index()] = job.lostGpuSeconds();
    }

    private void close(int job, long nowMs) {
        lastMs = nowMs;
        runTo.set(lastRun[job], nowMs);
    }

    @Override
    public void leftOut(JobRun job, long nowMs) {
        isLeftOut[job.index()] = true;
    }

    /** Takes what nodes and jobs drew, once the run is over. */
    public void drew(Outcome outcome) {
        draw = Draw.of(outcome);
    }

    /** Empty where nobody knows. */
    Optional<Draw> draw() {
        return draw;
    }

    /** Writes all that happened, for {@link #read}. */
    void write(DataOutput out) throws IOException {
        for (Ints column : List.of(runJob, runPiece, runMovedFrom, pieceNode, pieceParts, pieceSlot)) {
            column.write(out);
        }
        runFrom.write(out);
        runTo.write(out);
        for (int job = 0; job < endMs.length; job++) {
            out.writeLong(endMs[job]);
            out.writeDouble(lostGpuSeconds[job]);
            out.writeBoolean(isLeftOut[job]);
        }
        Ints ofFailures = new Ints();
        failed.stream().forEach(ofFailures::add);
        ofFailures.write(out);
        nodeMs.write(out);
        nodeChange.write(out);
        out.writeInt(came);
        out.writeLong(lastMs);
        out.writeBoolean(draw.isPresent());
        if (draw.isPresent()) {
            draw.get().write(out);
        }
    }

    /** Reads into an empty log what was written of the same jobs on the same cluster. */
    void read(DataInput in) throws IOException {
        for (Ints column : List.of(runJob, runPiece, runMovedFrom, pieceNode, pieceParts, pieceSlot)) {
            column.read(in);
        }
        runFrom.read(in);
        runTo.read(in);
        for (int job = 0; job < endMs.length; job++) {
            endMs[job] = in.readLong();
            lostGpuSeconds[job] = in.readDouble();
            isLeftOut[job] = in.readBoolean();
        }
        Ints ofFailures = new Ints();
        ofFailures.read(in);
        for (int i = 0; i < ofFailures.size(); i++) {
            failed.set(ofFailures.get(i));
        }
        nodeMs.read(in);
        nodeChange.read(in);
        came = in.readInt();
        lastMs = in.readLong();
        draw = in.readBoolean() ? Optional.of(Draw.read(in)) : Optional.empty();
    }

    NodeTable nodes() {
        return nodes;
    }

    List<TraceJob> jobs() {
        return jobs;
    }

    /** How many jobs came before the simulation was over: the first of them. */
    int came() {
        return came;
    }

    boolean isLeftOut(int job) {
        return isLeftOut[job];
    }

    /** What a job that has ended held its GPUs for without any good. */
    double lostGpuSeconds(int job) {
        return lostGpuSeconds[job];
    }

    /** What became of deadlines and fairness. */
    JobGoals goals() {
        return new JobGoals(cluster, jobs, endMs, lastMs);
    }

    /** When the job had done all; {@link #NEVER} where it had not. */
    long endMs(int job) {
        return endMs[job];
    }

    /** The last moment at which something happened. */
    long lastMs() {
        return lastMs;
    }

    int runs() {
        return runJob.size();
    }

    /** Whether a node's failure ended it. */
    boolean isFailed(int run) {
        return failed.get(run);
    }

    /** How often nodes went down or came up. */
    int nodeChanges() {
        return nodeChange.size();
    }

    long changedMs(int change) {
        return nodeMs.get(change);
    }

    boolean isDown(int change) {
        return nodeChange.get(change) < 0;
    }

    /** The node that went down or came up. */
    int changedNode(int change) {
        return isDown(change) ? ~nodeChange.get(change) : nodeChange.get(change);
    }

    int job(int run) {
        return runJob.get(run);
    }

    long fromMs(int run) {
        return runFrom.get(run);
    }

    /** {@link #NEVER} where it went on when the simulation was over. */
    long toMs(int run) {
        return runTo.get(run);
    }

    /** The job's run before where this one began by a move; negative for others. */
    int movedFrom(int run) {
        return runMovedFrom.get(run);
    }

    /** By run, whether its job went on elsewhere without a break. */
    boolean[] endedByMove() {
        boolean[] moved = new boolean[runs()];
        for (int run = 0; run < moved.length; run++) {
            if (movedFrom(run) >= 0) {
                moved[movedFrom(run)] = true;
            }
        }
        return moved;
    }

    int firstPiece(int run) {
        return runPiece.get(run);
    }

    /** The piece after the run's last. */
    int endPiece(int run) {
        return run + 1 < runPiece.size() ? runPiece.get(run + 1) : pieceNode.size();
    }

    int pieces() {
        return pieceNode.size();
    }

    int node(int piece) {
        return pieceNode.get(piece);
    }

    /** GPUs in parts of {@link #CARD}. */
    int parts(int piece) {
        return pieceParts.get(piece);
    }

    /** The GPU of its node, from 0; negative where only their number is known. */
    int knownSlot(int piece) {
        return pieceSlot.get(piece);
    }
}
