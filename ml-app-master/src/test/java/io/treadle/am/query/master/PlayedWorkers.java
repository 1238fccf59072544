// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Frame;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.Ended;
import io.treadle.am.query.wire.Message.Feed;
import io.treadle.am.query.wire.Message.Forget;
import io.treadle.am.query.wire.Message.Lost;
import io.treadle.am.query.wire.Message.Pass;
import io.treadle.am.query.wire.Message.Return;
import io.treadle.am.query.wire.Message.Run;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Workers without a network, by the rules of docs/spec/query-wire.md: they keep what they are given, and run a task when a
 * test says so. The models: {@code double} gives 2x + 1 as y, {@code triple} 3x as y, {@code sum} a + b + c as c.
 */
final class PlayedWorkers implements WorkerGateway {
    private record Key(String query, int task) {}

    private static final class Played {
        private final Map<Key, Run> runs = new LinkedHashMap<>();
        private final Map<Key, Map<String, Tensor>> inputs = new HashMap<>();
        private final Map<Key, Map<String, Tensor>> outputs = new HashMap<>();

        private List<Run> complete() {
            return runs.values().stream()
                    .filter(run -> inputs.getOrDefault(new Key(run.query(), run.task()), Map.of())
                            .keySet()
                            .containsAll(run.inputs()))
                    .toList();
        }
    }

    private final Map<Integer, Played> workers = new LinkedHashMap<>();
    private final Deque<Runnable> toTell = new ArrayDeque<>();
    private @Nullable QueryDesk desk;
    private int ports = 7000;
    private boolean isTelling;

    void serve(QueryDesk asking) {
        desk = asking;
    }

    QueryDesk desk() {
        return Objects.requireNonNull(desk);
    }

    void join(int count) {
        for (int i = 0; i < count; i++) {
            workers.put(desk().joined("n", ports++, 100), new Played());
        }
    }

    List<Integer> alive() {
        return List.copyOf(workers.keySet());
    }

    /** Those that have a task with all its inputs. */
    List<Integer> withWork() {
        return alive().stream()
                .filter(worker -> !worker(worker).complete().isEmpty())
                .toList();
    }

    private Played worker(int worker) {
        return Objects.requireNonNull(workers.get(worker));
    }

    void lose(int worker) {
        workers.remove(worker);
        desk().gone(worker);
        tell();
    }

    /**
     * Nothing happens where it has none: its query may have been answered meanwhile.
     *
     * @param which of its tasks runs and ends, counted round
     */
    void run(int worker, int which) {
        Played here = worker(worker);
        List<Run> complete = here.complete();
        if (complete.isEmpty()) {
            return;
        }
        Run run = complete.get(which % complete.size());
        Key key = new Key(run.query(), run.task());
        Map<String, Tensor> inputs = Objects.requireNonNull(here.inputs.get(key));
        here.runs.remove(key);
        here.outputs.put(key, outputs(inputs, run));
        Map<String, Double> sizes = new HashMap<>();
        Objects.requireNonNull(here.outputs.get(key)).keySet().forEach(name -> sizes.put(name, 0.004));
        desk().ended(worker, new Ended(run.query(), run.task(), "", false, 0, 0, 1, sizes));
        tell();
    }

    private static Map<String, Tensor> outputs(Map<String, Tensor> inputs, Run run) {
        return switch (run.name()) {
            case "one" -> Map.of("y", number(2 * number(inputs, "x") + 1));
            case "two", "three" -> Map.of("y", number(3 * number(inputs, "x")));
            default -> Map.of("c", number(number(inputs, "a") + number(inputs, "b") + number(inputs, "c")));
        };
    }

    private static float number(Map<String, Tensor> tensors, String name) {
        return Floats.in(Objects.requireNonNull(tensors.get(name))).get(0);
    }

    private static Tensor number(float value) {
        return Floats.of(List.of(1L, 1L), value);
    }

    @Override
    public void send(int worker, Frame frame) {
        Played here = workers.get(worker);
        if (here == null) {
            return;
        }
        Message message = frame.message();
        if (message instanceof Run run) {
            here.runs.put(new Key(run.query(), run.task()), run);
        } else if (message instanceof Feed feed) {
            feed(here, new Key(feed.query(), feed.task()), frame.tensors());
        } else if (message instanceof Pass pass) {
            pass(worker, here, pass);
        } else if (message instanceof Return wanted) {
            giveBack(worker, here, wanted);
        } else if (message instanceof Forget forget) {
            here.runs.keySet().removeIf(key -> key.query().equals(forget.query()));
            here.inputs.keySet().removeIf(key -> key.query().equals(forget.query()));
            here.outputs.keySet().removeIf(key -> key.query().equals(forget.query()));
        }
    }

    private static void feed(Played to, Key key, Map<String, Tensor> tensors) {
        to.inputs.computeIfAbsent(key, fresh -> new HashMap<>()).putAll(tensors);
    }

    private void pass(int worker, Played here, Pass pass) {
        Map<String, Tensor> found = here.outputs.get(new Key(pass.query(), pass.task()));
        if (found == null) {
            toTell.add(() ->
                    desk().lost(worker, new Lost(pass.query(), pass.task(), pass.to(), false, "it is not there")));
            return;
        }
        Map<String, Tensor> named = new HashMap<>();
        pass.names().forEach((name, output) -> named.put(name, Objects.requireNonNull(found.get(output))));
        Played to = pass.host().isEmpty() ? here : at(pass.port());
        if (to == null) {
            toTell.add(() -> desk().lost(worker, new Lost(pass.query(), pass.task(), pass.to(), true, "it has gone")));
        } else {
            feed(to, new Key(pass.query(), pass.to()), named);
        }
    }

    private @Nullable Played at(int port) {
        return workers.entrySet().stream()
                .filter(each -> desk().worker(each.getKey()).port() == port)
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private void giveBack(int worker, Played here, Return wanted) {
        Map<String, Tensor> found = here.outputs.get(new Key(wanted.query(), wanted.task()));
        if (found == null) {
            toTell.add(() -> desk().lost(
                            worker, new Lost(wanted.query(), wanted.task(), wanted.task(), false, "it is not there")));
        } else {
            toTell.add(() -> desk().returned(worker, wanted.query(), wanted.task(), found));
        }
    }

    /** What they have to say, once the desk has said what it had to. */
    private void tell() {
        if (isTelling) {
            return;
        }
        isTelling = true;
        while (!toTell.isEmpty()) {
            toTell.removeFirst().run();
        }
        isTelling = false;
    }
}
