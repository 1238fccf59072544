// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.ingress.QueryService;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The desk as those see it who ask it, with a clock that gives up what is late. */
final class DeskService implements QueryService, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeskService.class);
    private static final long TICK_MS = 20;

    private final QueryDesk desk;
    private final DoubleSupplier nowMs;
    private final Map<String, Workflow> workflows = new LinkedHashMap<>();
    private final String prefix;
    private final AtomicLong asked = new AtomicLong();
    private final Thread clock = new Thread(this::tick, "deadlines");

    /**
     * @param nowMs the desk's
     * @param prefix of queries' ids: no other master of the same workers has it, since they may still run what was asked of
     *     that one
     */
    DeskService(QueryDesk desk, DoubleSupplier nowMs, String prefix, List<Workflow> workflows) {
        this.desk = desk;
        this.prefix = prefix;
        this.nowMs = nowMs;
        workflows.forEach(each -> this.workflows.put(each.spec().name(), each));
        clock.setDaemon(true);
        clock.start();
    }

    private void tick() {
        try {
            while (true) {
                Thread.sleep(TICK_MS);
                try {
                    desk.tick();
                } catch (RuntimeException e) {
                    LOG.error("deadlines cannot be looked at", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<WorkflowSpec> workflows() {
        return workflows.values().stream().map(Workflow::spec).toList();
    }

    @Override
    public boolean isReady() {
        return desk.isReady();
    }

    @Override
    public CompletableFuture<Map<String, Tensor>> ask(
            WorkflowSpec workflow, Map<String, Tensor> inputs, double withinMs) {
        // Clients' ids need not be unique.
        return desk.submit(
                prefix + asked.incrementAndGet(),
                Objects.requireNonNull(workflows.get(workflow.name())),
                inputs,
                nowMs.getAsDouble() + withinMs);
    }

    @Override
    public void close() {
        clock.interrupt();
    }
}
