// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.simulator.cluster.SharedQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Queues for tests. */
final class Shares {
    private Shares() {}

    static SharedQueue queue(String path, double capacity, double maximum, SharedQueue... children) {
        return queue(path, capacity, maximum, 0, List.of(children));
    }

    static SharedQueue queue(String path, double capacity, double maximum, int priority, List<SharedQueue> children) {
        return new SharedQueue(
                path,
                capacity,
                maximum,
                priority,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                children.isEmpty() ? Set.of(path) : Set.of(),
                children);
    }

    /** A tree of up to three levels; guarantees are sixteenths. */
    static SharedQueue random(Random random) {
        return queue("root", 1, 1, 0, children(random, "root", 16, 1, 2));
    }

    private static List<SharedQueue> children(Random random, String path, int sixteenths, double maximum, int levels) {
        List<SharedQueue> children = new ArrayList<>();
        int left = sixteenths;
        for (int count = 2 + random.nextInt(2); count > 0; count--) {
            int own = count == 1 && random.nextBoolean() ? left : random.nextInt(left + 1);
            left -= own;
            double most = Math.max(own / 16.0, maximum * (1 + random.nextInt(4)) / 4);
            String name = path + "." + count;
            children.add(queue(
                    name,
                    own / 16.0,
                    most,
                    random.nextInt(2),
                    levels > 1 && own > 1 && random.nextInt(3) == 0
                            ? children(random, name, own, most, levels - 1)
                            : List.of()));
        }
        return children;
    }
}
