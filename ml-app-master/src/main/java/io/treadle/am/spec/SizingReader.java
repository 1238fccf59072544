// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.SizingSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;

/** Reads {@code utility} and {@code cap}. */
final class SizingReader {
    private SizingReader() {}

    static SizingSpec read(YamlFields job, List<TaskGroup> groups) {
        ResourceVector cap = job.find("cap").map(value -> cap(value, groups)).orElse(ResourceVector.ZERO);
        Optional<YamlFields> utility = job.find("utility")
                .map(value -> YamlFields.closed(value, List.of("weight", "decayPerHour", "targetHours")));
        return new SizingSpec(
                number(utility, "weight", SizingSpec.RIGHT_WEIGHT, SizingSpec::isWeight),
                number(utility, "decayPerHour", SizingSpec.RIGHT_NUMBER, SizingSpec::isNumber)
                        .orElse(SizingSpec.DEFAULT_DECAY_PER_HOUR),
                number(utility, "targetHours", SizingSpec.RIGHT_NUMBER, SizingSpec::isNumber),
                cap);
    }

    private static OptionalDouble number(
            Optional<YamlFields> utility, String name, String right, DoublePredicate isGood) {
        Optional<YamlValue> value = utility.flatMap(fields -> fields.find(name));
        return value.isPresent() ? OptionalDouble.of(value.get().number(isGood, right)) : OptionalDouble.empty();
    }

    private static ResourceVector cap(YamlValue value, List<TaskGroup> groups) {
        YamlFields fields =
                YamlFields.closed(value, List.of("gpus", "gpuMemory", "vcores", "memory", "storageBandwidth", "power"));
        ResourceVector cap = new ResourceVector(
                fields.whole("gpus", 1, 1_000_000, 0),
                fields.whole("vcores", 1, 1_000_000, 0),
                fields.quantity("memory", Quantity.MEMORY, 1, TaskGroupReader.MAX_MEMORY_MIB, 0),
                fields.quantity("gpuMemory", Quantity.MEMORY, 1, TaskGroupReader.MAX_MEMORY_MIB, 0),
                fields.quantity("storageBandwidth", Quantity.BANDWIDTH, 1, TaskGroupReader.MAX_STORAGE_MBPS, 0),
                fields.quantity("power", Quantity.POWER, 1, TaskGroupReader.MAX_WATTS, 0));
        ResourceVector least = groups.stream()
                .map(g -> g.resources().times(g.min()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        if (!least.where(cap).fitsIn(cap)) {
            throw value.error("is " + cap.describe() + ", must be at least what the gang needs: "
                    + least.where(cap).describe() + ".\nMaybe raise it, or lower 'min'.");
        }
        return cap;
    }
}
