// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizingSpecTest {
    private static final GangSpec GANG = new GangSpec(
            List.of(
                    new GangSpec.Group("worker", 2, 4, ResourceVector.of(1, 3, 1024), List.of()),
                    new GangSpec.Group("ps", 1, 2, ResourceVector.of(0, 2, 512), List.of())),
            "",
            0,
            false,
            0,
            "");

    private static GangSpec read(Map<String, String> said) {
        Map<String, String> properties = new HashMap<>(GANG.toProperties());
        properties.putAll(said);
        return GangSpec.fromProperties(properties);
    }

    @Test
    void jobThatSaysNothingHasTheDefaults() {
        Map<String, String> properties = new HashMap<>(GANG.toProperties());
        properties.keySet().removeIf(name -> name.startsWith("treadle.utility."));
        GangSpec spec = GangSpec.fromProperties(properties);
        assertEquals(SizingSpec.NONE, spec.sizing());
        assertEquals(ResourceVector.of(4, 16, 5120), spec.most());
    }

    @Test
    void readsWhatItWrites() {
        GangSpec spec = GANG.with(new SizingSpec(
                OptionalDouble.of(50), 1e-4, OptionalDouble.of(2.5), new ResourceVector(3, 0, 4096, 0, 0, 0)));
        assertEquals(spec, GangSpec.fromProperties(spec.toProperties()));
        assertEquals(ResourceVector.of(3, 16, 4096), spec.most());
    }

    @Test
    void targetMayBePast() {
        assertEquals(
                OptionalDouble.of(0),
                read(Map.of(SizingSpec.TARGET_HOURS, "0")).sizing().targetHours());
    }

    @ParameterizedTest
    @CsvSource({
        "treadle.utility.weight, -1, a number above 0 and at most 1000000000",
        "treadle.utility.weight, 0, a number above 0 and at most 1000000000",
        "treadle.utility.weight, NaN, a number above 0 and at most 1000000000",
        "treadle.utility.weight, Infinity, a number above 0 and at most 1000000000",
        "treadle.utility.weight, 1e400, a number above 0 and at most 1000000000",
        "treadle.utility.weight, much, a number above 0 and at most 1000000000",
        "treadle.utility.decay-per-hour, -0.1, a number from 0 to 1000000000",
        "treadle.utility.decay-per-hour, NaN, a number from 0 to 1000000000",
        "treadle.utility.target-hours, -3, a number from 0 to 1000000000",
        "treadle.utility.target-hours, NaN, a number from 0 to 1000000000",
    })
    void numberThatMakesNoSenseIsNamed(String name, String value, String right) {
        WireFormatException refused = assertThrows(WireFormatException.class, () -> read(Map.of(name, value)));
        assertEquals("submission property " + name + " is '" + value + "', must be " + right, refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"gpus\":1} | submission property treadle.cap is 1 GPU, must be at least what the gang needs: 2 GPUs",
                "{\"gpus\":-1} | submission property treadle.cap: field 'gpus' is -1, must be a whole number from 0 to 1000000",
                "8 | submission property treadle.cap must be a JSON object, but reads 8",
            })
    void capThatMakesNoSenseIsRefused(String cap, String why) {
        WireFormatException refused = assertThrows(WireFormatException.class, () -> read(Map.of(SizingSpec.CAP, cap)));
        assertEquals(why, refused.getMessage());
    }
}
