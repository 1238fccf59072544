// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.am.query.onnx.OnnxRuntime;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.wire.Message;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.Model;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.QueueOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class WorkerEngineTest {
    private static final double MEMORY_KB = 100;

    /** Hands out what has ended, and keeps what was loaded and dropped in its order. */
    private static final class Heard implements EngineListener {
        private final BlockingQueue<TaskEnd> ends = new LinkedBlockingQueue<>();
        private final List<String> models = Collections.synchronizedList(new ArrayList<>());

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

        TaskEnd next() throws InterruptedException {
            return Objects.requireNonNull(ends.poll(120, TimeUnit.SECONDS), "no task has ended");
        }
    }

    /** Models whose loading and running wait until a test lets them go on. */
    private static final class Held implements ModelRuntime {
        private final Map<String, Semaphore> loads = new ConcurrentHashMap<>();
        private final Semaphore runs = new Semaphore(0);
        private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
        private final AtomicInteger open = new AtomicInteger();
        private volatile String broken = "";

        volatile boolean closeFails;

        Semaphore load(String model) {
            return loads.computeIfAbsent(model, key -> new Semaphore(0));
        }

        String begun() throws InterruptedException {
            return Objects.requireNonNull(begun.poll(120, TimeUnit.SECONDS), "nothing has begun");
        }

        @Override
        public LoadedModel load(String name, Path file) throws ModelException {
            begun.add("load " + name);
            load(name).acquireUninterruptibly();
            if (broken.equals(name)) {
                throw new ModelException("model '" + name + "' is broken");
            }
            open.incrementAndGet();
            return new LoadedModel() {
                @Override
                public List<TensorSpec> inputs() {
                    return List.of();
                }

                @Override
                public List<TensorSpec> outputs() {
                    return List.of();
                }

                @Override
                public Map<String, Tensor> run(Map<String, Tensor> inputs) {
                    begun.add("run " + name);
                    runs.acquireUninterruptibly();
                    return Map.of();
                }

                @Override
                public void close() {
                    open.decrementAndGet();
                    if (closeFails) {
                        throw new IllegalStateException("it does not close");
                    }
                }
            };
        }
    }

    private final Heard heard = new Heard();
    private final Held held = new Held();

    private static Model model(int id, double kb) {
        return new Model(id, "m" + id, kb);
    }

    private static EngineTask task(String query, Model model, double runMs, double rankMs) {
        return new EngineTask(
                query, 0, new QueryTask(0, "t", List.of(model), runMs, 0, 0, List.of()), rankMs, 0, Map.of());
    }

    private WorkerEngine engine(QueueOrder order) {
        return new WorkerEngine(
                        held,
                        model -> Path.of(model.name()),
                        MEMORY_KB,
                        Eviction.LOOK_AHEAD,
                        Prefetcher.USUAL,
                        order,
                        heard)
                .start();
    }

    @Test
    void loadsAheadWhileATaskRunsAndDropsWhatIsNotNeeded() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.FIFO)) {
            Model a = model(0, 50);
            Model b = model(1, 40);
            Model c = model(2, 60);
            engine.submit(task("1", a, 10, 0));
            assertEquals("load m0", held.begun());
            engine.submit(task("2", a, 10, 0));
            engine.submit(task("3", b, 10, 0));
            held.load("m0").release();
            assertEquals("run m0", held.begun());
            held.runs.release();
            assertEquals("1", heard.next().task().query());
            // The second begins, and b, which fits beside a, is loaded while it runs.
            List<String> both = List.of(held.begun(), held.begun());
            assertTrue(both.containsAll(List.of("run m0", "load m1")), both::toString);
            held.load("m1").release();
            engine.submit(task("4", c, 10, 0));
            held.runs.release(2);
            assertEquals("2", heard.next().task().query());
            assertEquals("run m1", held.begun());
            assertEquals("3", heard.next().task().query());
            // c fits beside b alone: a goes.
            assertEquals("load m2", held.begun());
            held.load("m2").release();
            assertEquals("run m2", held.begun());
            held.runs.release();
            assertEquals("4", heard.next().task().query());
            assertEquals(List.of("+m0", "+m1", "-m0", "+m2"), heard.models);
            assertEquals(0, engine.state().freeKb(), 1e-9);
        }
        assertEquals(0, held.open.get(), "models that are still open");
    }

    @Test
    void tellsHowMuchItHasToDoAndWhatItHolds() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.FIFO)) {
            Model a = model(3, 50);
            engine.submit(task("1", a, 60_000, 0));
            assertEquals("load m3", held.begun());
            engine.submit(task("2", a, 1000, 0));
            WorkerEngine.State state = engine.state();
            assertTrue(state.holds(3));
            assertEquals(50, state.freeKb());
            assertEquals(2, state.queued());
            assertTrue(state.waitMs() > 1000 && state.waitMs() <= 61_000, state::toString);
            held.load("m3").release();
            held.runs.release(2);
            heard.next();
            TaskEnd end = heard.next();
            assertTrue(end.failure().isEmpty());
            assertEquals(0, engine.state().waitMs(), 1e-9);
        }
    }

    /** By what they have done the service gets more workers or fewer: loading counts as running does. */
    @Test
    void tellsWhatItHasDone() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.FIFO)) {
            assertEquals(Message.Done.NOTHING, engine.state().done());
            engine.submit(task("1", model(0, 50), 1, 0));
            assertEquals("load m0", held.begun());
            held.load("m0").release();
            assertEquals("run m0", held.begun());
            engine.submit(task("2", model(0, 50), 1, 0));
            held.runs.release(2);
            List<TaskEnd> ends = List.of(heard.next(), heard.next());
            Message.Done done = engine.state().done();
            assertEquals(2, done.tasks());
            assertEquals(1, done.loads());
            assertTrue(done.modelMs() > 0 && done.runMs() > 0, done::toString);
            assertEquals(ends.stream().mapToDouble(TaskEnd::modelMs).sum(), done.modelMs(), 1e-9);
            assertEquals(ends.stream().mapToDouble(TaskEnd::runMs).sum(), done.runMs(), 1e-9);
        }
    }

    @Test
    void whatNobodyWaitsForAnyMoreDoesNotRun() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.FIFO)) {
            Model a = model(0, 50);
            held.load("m0").release();
            engine.submit(task("1", a, 1, 0));
            assertEquals("load m0", held.begun());
            assertEquals("run m0", held.begun());
            engine.submit(task("2", a, 1000, 0));
            engine.submit(task("3", a, 1, 0));
            // What runs is finished.
            engine.cancel("1");
            engine.cancel("2");
            assertEquals(2, engine.state().queued());
            held.runs.release(3);
            assertEquals("1", heard.next().task().query());
            assertEquals("3", heard.next().task().query());
            assertEquals(0, engine.state().queued());
        }
    }

    @Test
    void leastLeftGoesFirst() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.LEAST_LEFT)) {
            Model a = model(0, 50);
            held.load("m0").release();
            engine.submit(task("first", a, 1, 100));
            assertEquals("load m0", held.begun());
            assertEquals("run m0", held.begun());
            engine.submit(task("long", a, 1, 100));
            engine.submit(task("short", a, 1, 10));
            held.runs.release(3);
            assertEquals("first", heard.next().task().query());
            assertEquals("short", heard.next().task().query());
            assertEquals("long", heard.next().task().query());
        }
    }

    @Test
    void aModelThatCannotBeLoadedFailsItsTaskAloneAndIsTriedAgain() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.FIFO)) {
            held.broken = "m0";
            held.load("m0").release(2);
            held.load("m1").release();
            held.runs.release(3);
            engine.submit(task("1", model(0, 50), 1, 0));
            assertEquals("model 'm0' is broken", heard.next().failure().orElseThrow());
            engine.submit(task("2", model(1, 90), 1, 0));
            assertTrue(heard.next().failure().isEmpty());
            held.broken = "";
            engine.submit(task("3", model(0, 50), 1, 0));
            assertTrue(heard.next().failure().isEmpty());
        }
    }

    @Test
    void modelThatDoesNotCloseKeepsNobodyWaiting() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.FIFO)) {
            held.closeFails = true;
            held.runs.release(3);
            for (int i = 0; i < 3; i++) {
                held.load("m" + i).release();
                // No two of them fit into its memory.
                engine.submit(task("" + i, model(i, 60), 1, 0));
                assertTrue(heard.next().failure().isEmpty());
            }
            assertEquals(List.of("+m0", "-m0", "+m1", "-m1", "+m2"), heard.models);
        }
    }

    @Test
    void refusesAModelThatNeverFits() throws Exception {
        try (WorkerEngine engine = engine(QueueOrder.FIFO)) {
            assertEquals(
                    "model 'm0' takes 101 kB, must be at most the 100 kB of a worker's memory",
                    assertThrows(ModelException.class, () -> engine.submit(task("1", model(0, 101), 1, 0)))
                            .getMessage());
        }
    }

    @Test
    void endsWhileAModelIsBeingLoaded() throws Exception {
        WorkerEngine engine = engine(QueueOrder.FIFO);
        engine.submit(task("1", model(0, 50), 1, 0));
        assertEquals("load m0", held.begun());
        Thread closing = new Thread(() -> {
            try {
                engine.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        closing.start();
        // The task runs where the model is there before the worker hears that it is to end.
        held.runs.release();
        held.load("m0").release();
        closing.join();
        assertEquals(0, held.open.get(), "models that are still open");
    }

    @Test
    void whatIsFetchedAheadIsThereWhenItIsToldAndWhatIsWantedMostStaysLongest() throws Exception {
        WorkerEngine engine = engine(QueueOrder.FIFO);
        // The third has no room.
        Thread all = fetching(engine, List.of(model(0, 40), model(1, 40), model(2, 40)));
        assertEquals("load m0", held.begun());
        // Whoever asks again waits for what is on its way.
        Thread again = fetching(engine, List.of(model(0, 40)));
        held.load("m0").release();
        again.join();
        assertEquals("load m1", held.begun());
        while (all.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        held.load("m1").release();
        all.join();
        assertEquals(List.of("+m0", "+m1"), heard.models);
        assertEquals(0, engine.state().done().loads(), "of those that tasks would have waited for");

        engine.submit(task("1", model(3, 50), 1, 0));
        assertEquals("load m3", held.begun());
        held.load("m3").release();
        held.runs.release();
        heard.next();
        assertEquals(List.of("+m0", "+m1", "-m1", "+m3"), heard.models);
        assertEquals(1, engine.state().done().loads());
        // Its tasks say what it needs now.
        engine.fetch(List.of(model(4, 1)));
        assertFalse(engine.state().holds(4));
        engine.close();
    }

    /** Returns once it waits. */
    private static Thread fetching(WorkerEngine engine, List<Model> models) {
        Thread thread = new Thread(() -> {
            try {
                engine.fetch(models);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            assertTrue(thread.isAlive(), "it has not waited");
            Thread.onSpinWait();
        }
        return thread;
    }

    /** Real models in a memory that holds three of eight, tasks at random: every answer is right, once, and room is kept to. */
    @Test
    void realModelsAnswerRightWhateverGoesAndComes(@TempDir Path directory) throws Exception {
        long seed = 20261124;
        Random random = new Random(seed);
        Map<Integer, Path> files = new HashMap<>();
        float[][] weights = new float[8][];
        for (int id = 0; id < weights.length; id++) {
            weights[id] = new float[] {random.nextInt(9), random.nextInt(9)};
            files.put(id, OnnxFile.linear(directory.resolve(id + ".onnx"), weights[id], 2, id));
        }
        try (WorkerEngine engine = new WorkerEngine(
                        new OnnxRuntime(1),
                        model -> Objects.requireNonNull(files.get(model.id())),
                        MEMORY_KB,
                        Eviction.LOOK_AHEAD,
                        Prefetcher.USUAL,
                        QueueOrder.LEAST_LEFT,
                        heard)
                .start()) {
            Map<String, Float> expected = new HashMap<>();
            for (int i = 0; i < 400; i++) {
                int id = random.nextInt(weights.length);
                float x = random.nextInt(5);
                float z = random.nextInt(5);
                String query = String.valueOf(i);
                expected.put(query, weights[id][0] * x + weights[id][1] * z + id);
                engine.submit(new EngineTask(
                        query,
                        0,
                        new QueryTask(0, "t", List.of(model(id, 30)), 1, 0, 0, List.of()),
                        random.nextInt(100),
                        i,
                        Map.of("x", Floats.of(List.of(1L, 2L), x, z))));
            }
            for (int i = 0; i < 400; i++) {
                TaskEnd end = heard.next();
                assertTrue(end.failure().isEmpty(), () -> "seed " + seed + ": " + end.failure());
                Float right = Objects.requireNonNull(expected.remove(end.task().query()));
                assertEquals(
                        List.of(right),
                        Floats.in(Objects.requireNonNull(end.outputs().get("y"))));
            }
            assertTrue(heard.ends.isEmpty());
        }
        int here = 0;
        for (String each : heard.models) {
            here += each.startsWith("+") ? 1 : -1;
            assertTrue(here <= 3, heard.models::toString);
        }
        assertTrue(heard.models.size() > 16, "models that came and went");
    }
}
