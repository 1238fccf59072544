// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Message.State;
import io.treadle.core.query.WorkerState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A worker as its master knows it: what it told last, and what it has been given since. Guarded by the {@link QueryDesk}.
 */
final class WorkerHandle implements WorkerState {
    /** In a row. */
    private static final int MOST_FAILED_LOADS = 3;

    private record Given(String query, int task, double runMs, double atMs) {}

    private final String host;
    private final int port;
    private final java.util.function.DoubleSupplier nowMs;
    private final Set<Integer> models = new HashSet<>();
    /** Tasks that have all their inputs, or get them, and have not ended. */
    private final List<Given> given = new ArrayList<>();

    private double freeKb;
    private double toldWaitMs;
    private double toldAtMs = Double.NEGATIVE_INFINITY;
    private boolean isGone;
    private boolean isRetired;
    private final double capacityKb;
    private int queued;
    private long tasks;
    private long loads;
    private double busyMs;
    private int failedLoads;

    WorkerHandle(String host, int port, double memoryKb, java.util.function.DoubleSupplier nowMs) {
        this.host = host;
        this.port = port;
        this.nowMs = nowMs;
        freeKb = memoryKb;
        capacityKb = memoryKb;
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    boolean isGone() {
        return isGone;
    }

    void gone() {
        isGone = true;
        given.clear();
    }

    /** It gets nothing that need not go to it. */
    void retire() {
        isRetired = true;
    }

    boolean isChosen() {
        return !isGone && !isRetired;
    }

    /** A task has run there, or found no model. */
    void ran(double ms, boolean lackedModel) {
        tasks++;
        busyMs += ms;
        failedLoads = lackedModel ? failedLoads + 1 : 0;
    }

    boolean isFit() {
        return failedLoads < MOST_FAILED_LOADS;
    }

    /** A model has come there. */
    void loaded() {
        loads++;
    }

    DeskFigures.Worker figures() {
        return new DeskFigures.Worker(
                host, port, workMs(), queued, List.copyOf(models), capacityKb, freeKb, tasks, loads, busyMs, isRetired);
    }

    void told(State state) {
        queued = state.queued();
        toldWaitMs = state.waitMs();
        toldAtMs = nowMs.getAsDouble();
        freeKb = state.freeKb();
        models.clear();
        models.addAll(state.models());
    }

    void give(String query, int task, double runMs, int model) {
        ended(query, task);
        given.add(new Given(query, task, runMs, nowMs.getAsDouble()));
        // It will be there when the task runs; until the worker tells, others need not bring it elsewhere.
        models.add(model);
    }

    void ended(String query, int task) {
        given.removeIf(each -> each.query().equals(query) && each.task() == task);
    }

    /** Nothing of a query is needed any more. */
    void forget(String query) {
        given.removeIf(each -> each.query().equals(query));
    }

    /** Never chosen once it is gone, or leaves. */
    @Override
    public double waitMs() {
        return isChosen() ? workMs() : Double.POSITIVE_INFINITY;
    }

    private double workMs() {
        double now = nowMs.getAsDouble();
        double all = 0;
        double since = 0;
        for (Given each : given) {
            all += each.runMs();
            since += each.atMs() >= toldAtMs ? each.runMs() : 0;
        }
        // What it has told, less the time since, and what it has been given since; never more than all that it has.
        return Math.min(all, Math.max(0, toldWaitMs - (now - toldAtMs)) + since);
    }

    @Override
    public boolean holds(int model) {
        return models.contains(model);
    }

    @Override
    public double freeKb() {
        return freeKb;
    }
}
