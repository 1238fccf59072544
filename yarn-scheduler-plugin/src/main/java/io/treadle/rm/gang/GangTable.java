// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.gang;

import io.treadle.core.wire.GangSpec;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/** Every job with task groups that the ResourceManager has now. */
public final class GangTable {
    private final Map<ApplicationId, Gang> gangs = new ConcurrentHashMap<>();

    /** Whether these scheduling properties are those of a job with task groups. */
    public static boolean isGang(@Nullable Map<String, String> properties) {
        return properties != null && properties.containsKey(GangSpec.GANG);
    }

    public void add(Gang gang) {
        gangs.put(gang.id(), gang);
    }

    public void remove(ApplicationId id) {
        Gang removed = gangs.remove(id);
        if (removed != null) {
            removed.delivery().end();
        }
    }

    public Optional<Gang> find(ApplicationId id) {
        return Optional.ofNullable(gangs.get(id));
    }

    public boolean isEmpty() {
        return gangs.isEmpty();
    }

    /** In no order. */
    public void forEach(Consumer<Gang> action) {
        gangs.values().forEach(action);
    }

    /** In order of submission. */
    public List<Gang> all() {
        return sorted(gangs.values());
    }

    private static List<Gang> sorted(Collection<Gang> gangs) {
        return gangs.stream()
                .sorted(Comparator.comparingLong(Gang::submitMs).thenComparing(Gang::id))
                .toList();
    }
}
