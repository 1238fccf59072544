// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import io.treadle.core.query.DelayModel;
import io.treadle.core.query.GpuModelCache;
import io.treadle.core.query.Model;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.TaskQueue;
import io.treadle.core.query.TaskQueue.Waiting;
import io.treadle.core.query.WorkerState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** A worker with one GPU: runs one task at a time, and fetches one model at a time. */
final class SimWorker implements WorkerState {
    private final DoubleSupplier nowMs;
    private final DelayModel delays;
    private final Prefetcher prefetcher;
    private final RunTimes runTimes;
    private final GpuModelCache cache;
    private final TaskQueue<Activity> queue;
    private final WorkerFigures figures;
    /** When each model that it holds is there, ms. */
    private final Map<Integer, Double> thereMs = new HashMap<>();

    private double linkFreeMs;
    private Optional<Waiting<Activity>> running = Optional.empty();
    private double endMs;

    SimWorker(
            QuerySettings settings,
            RunTimes runTimes,
            TaskQueue<Activity> queue,
            DoubleSupplier nowMs,
            WorkerFigures figures) {
        this.runTimes = runTimes;
        this.nowMs = nowMs;
        this.queue = queue;
        this.figures = figures;
        delays = settings.delays();
        prefetcher = settings.prefetcher();
        cache = new GpuModelCache(settings.gpuMemoryKb(), settings.eviction());
    }

    @Override
    public double waitMs() {
        return (running.isPresent() ? Math.max(0, endMs - nowMs.getAsDouble()) : 0) + queue.runMs();
    }

    @Override
    public boolean holds(int model) {
        return cache.holds(model);
    }

    @Override
    public double freeKb() {
        return cache.freeKb();
    }

    BitSet models() {
        return cache.ids();
    }

    boolean isIdle() {
        return running.isEmpty();
    }

    /** A task has all its inputs here. */
    void add(Activity query, int task) {
        queue.add(
                query.task(task),
                query,
                query.query().rank().of(task),
                query.request().arrivalMs());
    }

    /**
     * Starts the next task, if one waits.
     *
     * @return when it ends, ms
     */
    Optional<Double> start() {
        Optional<Waiting<Activity>> next = queue.poll();
        if (next.isEmpty()) {
            return Optional.empty();
        }
        double now = nowMs.getAsDouble();
        QueryTask task = next.get().task();
        double start = Math.max(now, load(task));
        for (Model model : prefetcher.choose(queue.models(), cache)) {
            fetch(model);
        }
        running = next;
        Request request = next.get().what().request();
        endMs = start + runTimes.ms(request.id(), request.graph().name(), task);
        figures.ran(now, start, endMs);
        return Optional.of(endMs);
    }

    /** @return when all models of the task are there, ms */
    private double load(QueryTask task) {
        List<Model> missing = new ArrayList<>();
        List<Integer> needed = new ArrayList<>();
        double kb = 0;
        for (Model model : task.models()) {
            needed.add(model.id());
            if (!cache.holds(model.id())) {
                missing.add(model);
                kb += model.kb();
            }
        }
        List<Model> gone = cache.makeRoom(kb, needed, queue.models())
                .orElseThrow(() -> new IllegalStateException("task " + task.name() + " fits no worker"));
        figures.looked(nowMs.getAsDouble(), needed.size(), missing.size(), gone.size());
        missing.forEach(this::fetch);
        double there = 0;
        for (int model : needed) {
            cache.pin(model);
            there = Math.max(there, Objects.requireNonNull(thereMs.get(model)));
        }
        return there;
    }

    private void fetch(Model model) {
        cache.add(model);
        linkFreeMs = Math.max(nowMs.getAsDouble(), linkFreeMs) + delays.fetchMs(model);
        thereMs.put(model.id(), linkFreeMs);
    }

    /** The task that runs has ended. */
    Waiting<Activity> end() {
        Waiting<Activity> ended = running.orElseThrow();
        ended.task().models().forEach(model -> cache.unpin(model.id()));
        running = Optional.empty();
        return ended;
    }
}
