// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Workflows and workers that are drawn. */
final class RandomQueries {
    static final double CAPACITY_KB = 100;
    private static final List<Model> MODELS = IntStream.range(0, 6)
            .mapToObj(id -> new Model(id, "m" + id, 10 + 9 * id))
            .toList();

    private RandomQueries() {}

    /** Some tasks have no model, some two, some several predecessors. */
    static WorkflowGraph graph(Random random, int size) {
        List<QueryTask> tasks = new ArrayList<>();
        for (int id = 0; id < size; id++) {
            List<Integer> before = new ArrayList<>();
            for (int other = 0; other < id; other++) {
                if (random.nextInt(3) == 0) {
                    before.add(other);
                }
            }
            List<Model> models = new ArrayList<>();
            int count = random.nextInt(5) == 0 ? 2 : random.nextInt(2);
            while (models.size() < count) {
                Model model = MODELS.get(random.nextInt(MODELS.size()));
                if (!models.contains(model)) {
                    models.add(model);
                }
            }
            tasks.add(Known.task(
                    id,
                    models,
                    random.nextInt(40),
                    random.nextInt(4),
                    random.nextInt(6),
                    before.toArray(Integer[]::new)));
        }
        return new WorkflowGraph("random", tasks);
    }

    static List<Known.Worker> workers(Random random, int count) {
        List<Known.Worker> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BitSet held = new BitSet();
            double free = CAPACITY_KB;
            for (Model model : MODELS) {
                if (random.nextBoolean() && model.kb() <= free) {
                    held.set(model.id());
                    free -= model.kb();
                }
            }
            workers.add(new Known.Worker(random.nextInt(60), held, free));
        }
        return workers;
    }
}
