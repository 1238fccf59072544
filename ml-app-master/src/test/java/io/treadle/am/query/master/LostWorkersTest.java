// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.ingress.QueryException;
import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpecParser;
import io.treadle.core.query.Adjustment;
import io.treadle.core.query.Costs;
import io.treadle.core.query.DelayModel;
import io.treadle.core.query.Dispatchers;
import io.treadle.core.query.LinearDelays;
import io.treadle.core.query.Model;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of queries whose workers are lost, on workers that are played here, by a clock that the test moves. */
class LostWorkersTest {
    private static final long SEED = 20261126;
    private static final DelayModel DELAYS = new LinearDelays(1e6, 1e6, 0.1);
    private static final ServiceSpec SPEC = ServiceSpecParser.fromYaml(
            "service.yaml",
            """
            models:
              double: {file: double.onnx}
              triple: {file: triple.onnx}
              sum: {file: sum.onnx}
            workflows:
              alone:
                inputs: {x: "FP32[any, 1]"}
                tasks: {one: {model: double, inputs: {x: x}}}
                outputs: {y: one.y}
              fan:
                inputs: {x: "FP32[any, 1]"}
                tasks:
                  all: {model: sum, inputs: {a: one.y, b: two.y, c: three.y}}
                  one: {model: double, inputs: {x: x}}
                  two: {model: triple, inputs: {x: x}}
                  three: {model: triple, inputs: {x: x}}
                outputs: {sum: all.c}
            """);

    private final Map<String, Model> models = new LinkedHashMap<>();
    private double nowMs;

    LostWorkersTest() {
        SPEC.models().forEach(model -> models.put(model.name(), new Model(models.size(), model.name(), 40)));
    }

    private PlayedWorkers play(String policy) {
        PlayedWorkers workers = new PlayedWorkers();
        workers.serve(new QueryDesk(
                Dispatchers.of(policy, Costs.of(DELAYS), new Adjustment(Adjustment.Rule.GAIN, 1.5)),
                workers,
                () -> nowMs));
        return workers;
    }

    private CompletableFuture<Map<String, Tensor>> ask(QueryDesk desk, int workflow, int number) {
        return desk.submit(
                "master/" + number,
                new Workflow(SPEC.workflows().get(workflow), models, DELAYS),
                Map.of("x", Floats.of(List.of(1L, 1L), number)),
                1e18);
    }

    private static float answer(CompletableFuture<Map<String, Tensor>> answer, String name) {
        return Floats.in(Objects.requireNonNull(answer.join().get(name))).get(0);
    }

    private static QueryException failure(CompletableFuture<?> answer) {
        CompletionException e = assertThrows(CompletionException.class, answer::join);
        return (QueryException) Objects.requireNonNull(e.getCause());
    }

    @Test
    void aQueryThatKillsItsWorkersIsGivenUpAfterThree() {
        PlayedWorkers workers = play("compass");
        workers.join(10);
        CompletableFuture<Map<String, Tensor>> answer = ask(workers.desk(), 0, 1);
        for (int i = 0; i < 1000 && !answer.isDone(); i++) {
            workers.withWork().forEach(workers::lose);
            nowMs += 100;
            workers.desk().tick();
        }
        assertEquals(7, workers.alive().size());
        QueryException why = failure(answer);
        assertEquals(QueryException.Kind.FAILED, why.kind());
        assertEquals("3 workers were lost while they ran it, so it is not run again", why.getMessage());
    }

    /** As a NodeManager's that stops: whatever the query is sent to is the next that goes, as long as that takes. */
    @ParameterizedTest
    @CsvSource({"0, y, 3", "1, sum, 9"})
    void aNodeWhoseWorkersGoOneAfterTheOtherCostsNoQuery(int workflow, String output, float expected) {
        PlayedWorkers workers = play("compass");
        workers.join(9);
        CompletableFuture<Map<String, Tensor>> answer = ask(workers.desk(), workflow, 1);
        while (workers.alive().size() > 1) {
            workers.lose(workers.withWork().stream()
                    .findFirst()
                    .orElse(workers.alive().get(0)));
            nowMs += 250;
            workers.desk().tick();
        }
        while (!answer.isDone()) {
            workers.withWork().forEach(worker -> workers.run(worker, 0));
            nowMs += 100;
            workers.desk().tick();
        }
        assertEquals(expected, answer(answer, output));
        assertTrue(nowMs < 10_000);
    }

    @Test
    void withTheLastWorkerWhatWaitsForItsChanceFails() {
        PlayedWorkers workers = play("compass");
        workers.join(3);
        CompletableFuture<Map<String, Tensor>> answer = ask(workers.desk(), 0, 1);
        workers.lose(workers.withWork().get(0));
        workers.lose(workers.withWork().get(0));
        assertEquals(List.of(), workers.withWork());
        assertFalse(answer.isDone());
        workers.lose(workers.alive().get(0));
        assertEquals(QueryException.Kind.UNAVAILABLE, failure(answer).kind());
        workers.join(1);
        nowMs += 2 * QueryDesk.LAST_CHANCE_MS;
        workers.desk().tick();
        assertEquals(List.of(), workers.withWork());
    }

    /** Workers are lost and come while tasks end in any order: all is answered in the end, or had three losses. */
    @ParameterizedTest
    @ValueSource(strings = {"compass", "jit", "heft", "hash"})
    void nothingIsForgottenAmongLosses(String policy) {
        for (int run = 0; run < 300; run++) {
            Random random = new Random(SEED + run);
            PlayedWorkers workers = play(policy);
            workers.join(4);
            List<CompletableFuture<Map<String, Tensor>>> asked = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                if (random.nextInt(3) == 0) {
                    asked.add(ask(workers.desk(), 1, asked.size()));
                }
                if (random.nextInt(8) == 0 && workers.alive().size() > 1) {
                    workers.lose(any(workers.alive(), random));
                    workers.join(1);
                }
                nowMs += random.nextInt(20) == 0 ? QueryDesk.LAST_CHANCE_MS : random.nextInt(300);
                // What waits may be sent again from now on, and is not yet.
                List<Integer> withWork = workers.withWork();
                if (!withWork.isEmpty()) {
                    workers.run(any(withWork, random), random.nextInt(100));
                }
                workers.desk().tick();
            }
            for (int step = 0; step < 1000 && workers.desk().active() > 0; step++) {
                workers.withWork().forEach(worker -> workers.run(worker, 0));
                nowMs += 100;
                workers.desk().tick();
            }
            assertEquals(0, workers.desk().active(), "of run " + run + " from seed " + SEED);
            for (int i = 0; i < asked.size(); i++) {
                if (asked.get(i).isCompletedExceptionally()) {
                    assertTrue(
                            String.valueOf(failure(asked.get(i)).getMessage()).startsWith("3 workers were lost"));
                } else {
                    assertEquals(8f * i + 1, answer(asked.get(i), "sum"), "of run " + run + " from seed " + SEED);
                }
            }
        }
    }

    private static int any(List<Integer> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
