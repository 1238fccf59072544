// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.wire.Message.Done;
import io.treadle.am.query.wire.Message.State;
import io.treadle.core.query.WorkerState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * A worker as its master knows it: what it told last, and what it has been given since. Guarded by the {@link QueryDesk}.
 */
final class WorkerHandle implements WorkerState {
    private static final int MOST_FAILED_LOADS = 3;

    /** Others hear a little later that it leaves, and what they have sent it until then takes a while to come. */
    private static final double QUIET_MS = 1_000;

    private record Given(String query, int task, double runMs, double atMs) {}

    private final String host;
    private final int port;
    private final DoubleSupplier nowMs;
    /** Whether other desks give it work, too. */
    private final boolean isShared;

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
    private Done done = Done.NOTHING;
    private boolean hasTold;
    private int failedLoads;
    /** As far as this desk has seen: tasks that only another worker had the memory for. */
    private int failedRuns;

    private double retiredAtMs = Double.POSITIVE_INFINITY;
    private int queries;
    private int ingress;

    /** @param isShared whether other desks give it work, too */
    WorkerHandle(String host, int port, double memoryKb, boolean isShared, DoubleSupplier nowMs) {
        this.isShared = isShared;
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

    String address() {
        return host + ":" + port;
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
        if (!isRetired) {
            isRetired = true;
            retiredAtMs = nowMs.getAsDouble();
        }
    }

    /** It gets what is new, as before. */
    void welcome() {
        isRetired = false;
        retiredAtMs = Double.POSITIVE_INFINITY;
    }

    /** Whether no other desk's query needs it, as far as can be told. */
    boolean isQuiet() {
        return !isShared || (queries == 0 && toldAtMs - retiredAtMs >= QUIET_MS);
    }

    /** Port at which it answers queries itself; 0 while it does not. */
    int ingress() {
        return ingress;
    }

    void listens(int atPort) {
        ingress = atPort;
    }

    boolean isChosen() {
        return !isGone && !isRetired;
    }

    /** @param hadMemory false where another worker then had the memory that it had not */
    void ran(boolean hadMemory) {
        failedRuns = hadMemory ? 0 : failedRuns + 1;
    }

    boolean isFit() {
        return failedLoads < MOST_FAILED_LOADS && failedRuns < MOST_FAILED_LOADS;
    }

    DeskFigures.Worker figures() {
        return new DeskFigures.Worker(
                host,
                port,
                ingress,
                workMs(),
                queued,
                List.copyOf(models),
                capacityKb,
                freeKb,
                done.tasks(),
                done.loads(),
                done.runMs(),
                isRetired);
    }

    /** Returns what it has done since it told last, ms. */
    double told(State state) {
        // What it did for an earlier master is not new.
        double doneMs = hasTold ? Math.max(0, state.done().ms() - done.ms()) : 0;
        hasTold = true;
        done = state.done();
        queries = state.queries();
        failedLoads = state.failedLoads();
        queued = state.queued();
        toldWaitMs = state.waitMs();
        toldAtMs = nowMs.getAsDouble();
        freeKb = state.freeKb();
        models.clear();
        models.addAll(state.models());
        return doneMs;
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
        // What it has told, less the time since, and what it has been given since; where nobody else gives it any,
        // never
        // more than all that it has.
        double told = Math.max(0, toldWaitMs - (now - toldAtMs)) + since;
        return isShared ? told : Math.min(all, told);
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
