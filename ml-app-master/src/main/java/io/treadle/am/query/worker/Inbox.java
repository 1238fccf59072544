// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.wire.Message.Run;
import io.treadle.am.query.wire.QueryIds;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Tasks that wait for inputs, and inputs that wait for their tasks: either may come first. Not safe for several threads. */
final class Inbox {
    private static final int MOST_FORGOTTEN = 10_000;

    private record Key(String query, int task) {}

    /**
     * A task that has all its inputs.
     *
     * @param inputs by name
     */
    record Complete(Run run, Map<String, Tensor> inputs) {}

    private final Map<Key, Run> runs = new HashMap<>();
    private final Map<Key, Map<String, Tensor>> inputs = new HashMap<>();
    private final Set<String> queries = new HashSet<>();
    /** Of which something may still be under way. */
    private final Set<String> forgotten = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_FORGOTTEN;
        }
    });

    Optional<Complete> run(Run run) {
        Key key = new Key(run.query(), run.task());
        queries.add(run.query());
        forgotten.remove(run.query());
        runs.put(key, run);
        return complete(key);
    }

    Optional<Complete> feed(String query, int task, Map<String, Tensor> tensors) {
        if (forgotten.contains(query)) {
            return Optional.empty();
        }
        Key key = new Key(query, task);
        inputs.computeIfAbsent(key, unknown -> new HashMap<>()).putAll(tensors);
        return complete(key);
    }

    private Optional<Complete> complete(Key key) {
        Run run = runs.get(key);
        Map<String, Tensor> here = inputs.getOrDefault(key, Map.of());
        if (run == null || !here.keySet().containsAll(run.inputs())) {
            return Optional.empty();
        }
        runs.remove(key);
        inputs.remove(key);
        return Optional.of(new Complete(run, here));
    }

    /** Whether a task of the query has come, and it has not been forgotten since. */
    boolean knows(String query) {
        return queries.contains(query);
    }

    /** Of how many queries tasks have come that have not been forgotten since. */
    int queries() {
        return queries.size();
    }

    /**
     * Nothing of a desk's is here any more; what comes of it from now on is new.
     *
     * @return queries of which tasks had come
     */
    Set<String> drop(String desk) {
        Predicate<String> isOfDesk = query -> QueryIds.desk(query).equals(desk);
        Set<String> gone = queries.stream().filter(isOfDesk).collect(Collectors.toSet());
        queries.removeAll(gone);
        forgotten.removeIf(isOfDesk);
        runs.keySet().removeIf(key -> isOfDesk.test(key.query()));
        inputs.keySet().removeIf(key -> isOfDesk.test(key.query()));
        return gone;
    }

    void forget(String query) {
        queries.remove(query);
        forgotten.add(query);
        runs.keySet().removeIf(key -> key.query().equals(query));
        inputs.keySet().removeIf(key -> key.query().equals(query));
    }
}
