// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.am.query.onnx.OnnxRuntime;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.Model;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.QueueOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another process takes memory that a worker's models were to have. */
@Timeout(300)
class EngineMemoryTest {
    private static final Optional<String> NONE = Optional.empty();

    private final BlockingQueue<TaskEnd> ends = new LinkedBlockingQueue<>();
    private final List<String> models = Collections.synchronizedList(new ArrayList<>());
    private final CrowdedCard card = new CrowdedCard(new OnnxRuntime(1), 4);
    private final WorkerEngine engine;

    EngineMemoryTest(@TempDir Path directory) throws IOException {
        Path file = OnnxFile.linear(directory.resolve("m.onnx"), new float[] {2}, 1, 1);
        engine = new WorkerEngine(
                        card,
                        model -> file,
                        100,
                        Eviction.LOOK_AHEAD,
                        Prefetcher.USUAL,
                        QueueOrder.FIFO,
                        new EngineListener() {
                            @Override
                            public void ended(TaskEnd end) {
                                ends.add(end);
                            }

                            @Override
                            public void loaded(Model model, double ms) {
                                models.add("+" + model.name());
                            }

                            @Override
                            public void dropped(Model model) {
                                models.add("-" + model.name());
                            }
                        })
                .start();
    }

    @AfterEach
    void close() throws InterruptedException {
        engine.close();
    }

    private TaskEnd run(int model) throws Exception {
        engine.submit(new EngineTask(
                "q",
                0,
                new QueryTask(0, "t", List.of(new Model(model, "m" + model, 10)), 1, 0, 0, List.of()),
                0,
                0,
                Map.of("x", Floats.of(List.of(1L, 1L), 3))));
        return Objects.requireNonNull(ends.poll(120, TimeUnit.SECONDS), "no task has ended");
    }

    private static void assertAnswered(TaskEnd end) {
        assertEquals(NONE, end.failure());
        assertEquals(List.of(7f), Floats.in(Objects.requireNonNull(end.outputs().get("y"))));
    }

    @Test
    void idleModelsGoForOneThatFindsNoRoom() throws Exception {
        assertAnswered(run(0));
        assertAnswered(run(1));
        card.fill();
        assertAnswered(run(2));
        assertEquals(List.of("+m0", "+m1", "-m0", "-m1", "+m2"), models);
        assertEquals(90, engine.state().freeKb(), 1e-9);
    }

    @Test
    void idleModelsGoForOneThatHasNotTheMemoryToRun() throws Exception {
        assertAnswered(run(0));
        assertAnswered(run(1));
        card.fill();
        assertAnswered(run(0));
        assertEquals(List.of("+m0", "+m1", "-m1"), models);
    }

    @Test
    void aModelThatFindsNoRoomAtAllIsForAnotherWorkerUntilTheOtherProcessLetsGo() throws Exception {
        card.fill();
        TaskEnd end = run(0);
        assertEquals(Optional.of("model 'm0': out of memory"), end.failure());
        assertTrue(end.lacksModel());
        assertEquals(0, end.runMs());
        card.give(2);
        assertAnswered(run(0));
    }

    @Test
    void aTaskThatHasNotTheMemoryToRunIsForAnotherWorkerUntilTheOtherProcessLetsGo() throws Exception {
        assertAnswered(run(0));
        card.fill();
        TaskEnd end = run(0);
        assertEquals(Optional.of("model 'm0': out of memory"), end.failure());
        assertTrue(end.lacksModel());
        assertTrue(end.runMs() > 0);
        card.give(1);
        assertAnswered(run(0));
        assertEquals(List.of("+m0"), models, "a model that runs stays");
    }
}
