// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.core.query.Query;
import io.treadle.core.query.QueryPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A query on its way. Guarded by the {@link QueryDesk}. */
final class ActiveQuery {
    static final int NOWHERE = -1;

    private final Workflow workflow;
    private final Query query;
    private final Map<String, Tensor> inputs;
    private final double arrivalMs;
    private final double deadlineMs;
    private final CompletableFuture<Map<String, Tensor>> answer = new CompletableFuture<>();
    private final Map<Integer, Map<String, Tensor>> returned = new HashMap<>();
    /** To which worker each task was sent, and whether it has ended there. */
    private final int[] sentTo;

    private final BitSet done = new BitSet();
    private final BitSet moved = new BitSet();
    private final Set<Integer> workers = new HashSet<>();
    private final QueryPlan plan;
    private int losses;
    private OptionalDouble heldUntilMs = OptionalDouble.empty();
    /** By task: a worker on which it found too little memory to run. */
    private final Map<Integer, WorkerHandle> suspects = new HashMap<>();

    ActiveQuery(
            Workflow workflow,
            Query query,
            QueryPlan plan,
            Map<String, Tensor> inputs,
            double arrivalMs,
            double deadlineMs) {
        this.workflow = workflow;
        this.query = query;
        this.plan = plan;
        this.inputs = inputs;
        this.arrivalMs = arrivalMs;
        this.deadlineMs = deadlineMs;
        sentTo = new int[query.graph().size()];
        Arrays.fill(sentTo, NOWHERE);
    }

    String id() {
        return query.id();
    }

    Workflow workflow() {
        return workflow;
    }

    Query query() {
        return query;
    }

    QueryPlan plan() {
        return plan;
    }

    Map<String, Tensor> inputs() {
        return inputs;
    }

    double arrivalMs() {
        return arrivalMs;
    }

    double deadlineMs() {
        return deadlineMs;
    }

    CompletableFuture<Map<String, Tensor>> answer() {
        return answer;
    }

    /** {@link #NOWHERE} where it has not been sent, or what it was sent to is gone. */
    int sentTo(int task) {
        return sentTo[task];
    }

    void send(int task, int worker) {
        sentTo[task] = worker;
        workers.add(worker);
    }

    boolean isDone(int task) {
        return done.get(task);
    }

    void done(int task) {
        done.set(task);
    }

    /** It has to run again. */
    void reset(int task) {
        done.clear(task);
        sentTo[task] = NOWHERE;
    }

    /**
     * Nothing that the worker had is anywhere any more. What has ended there runs again where somebody still needs it.
     *
     * @return whether it had something that it may have run
     */
    boolean gone(int worker) {
        boolean hadWork = false;
        for (int task = 0; task < sentTo.length; task++) {
            if (sentTo[task] == worker) {
                hadWork |= !done.get(task) && hasInputs(task);
                sentTo[task] = NOWHERE;
            }
        }
        workers.remove(worker);
        revive();
        return hadWork;
    }

    /** A worker was lost, maybe by what it ran of it. */
    void blame() {
        losses++;
    }

    /** How many workers were lost that may have run something of it. */
    int losses() {
        return losses;
    }

    /** Nothing of it is sent again until {@link #endHold} has said that it is over. */
    void hold(double untilMs) {
        heldUntilMs = OptionalDouble.of(untilMs);
    }

    boolean isHeld() {
        return heldUntilMs.isPresent();
    }

    /** @return whether it was held and is not any more */
    boolean endHold(double now) {
        if (heldUntilMs.isEmpty() || now < heldUntilMs.getAsDouble()) {
            return false;
        }
        heldUntilMs = OptionalDouble.empty();
        return true;
    }

    /** Whether a task may go to another worker since its own has no model for it; once for each. */
    boolean mayMove(int task) {
        boolean may = !moved.get(task);
        moved.set(task);
        return may;
    }

    /** A task found too little memory to run on a worker. */
    void suspect(int task, WorkerHandle worker) {
        suspects.put(task, worker);
    }

    /** The worker on which a task found too little memory; tells it once. */
    Optional<WorkerHandle> suspected(int task) {
        return Optional.ofNullable(suspects.remove(task));
    }

    /** What has ended, is nowhere and is needed runs again. */
    void revive() {
        List<Integer> last = new ArrayList<>(query.graph().order());
        Collections.reverse(last);
        // Those that follow first: one that runs again needs the outputs of those before it.
        for (int task : last) {
            if (done.get(task) && sentTo[task] == NOWHERE && isNeeded(task)) {
                done.clear(task);
            }
        }
    }

    private boolean isNeeded(int task) {
        return !hasReturned(task)
                || query.graph().successors(task).stream().anyMatch(successor -> !done.get(successor));
    }

    /** Whether all that it waits for is done. */
    boolean hasInputs(int task) {
        for (int before : query.graph().task(task).predecessors()) {
            if (!done.get(before)) {
                return false;
            }
        }
        return true;
    }

    void returned(int task, Map<String, Tensor> tensors) {
        returned.put(task, tensors);
    }

    boolean hasReturned(int task) {
        return returned.containsKey(task) || workflow.answered(task).isEmpty();
    }

    Map<String, Tensor> returned(int task) {
        return returned.getOrDefault(task, Map.of());
    }

    /** All that ever had anything of it. */
    Set<Integer> workers() {
        return workers;
    }
}
