// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LargeGangTest {
    private static final String ATTACK = "a\n2026-11-30 ERROR \u001b[2J\u202e";

    /** No JSON at all: it would be refused for that, had it been parsed. */
    @Test
    void gangWithTooManyCharactersIsRefusedBeforeItIsParsed() {
        String gang = "x".repeat(GangSpec.MOST_CHARACTERS + 1);
        assertEquals(
                "treadle.gang has 65537 characters, must have at most 65536 for at most 64 task groups",
                refused(Map.of("treadle.spec-version", "1", GangSpec.GANG, gang)));
    }

    private static String refused(Map<String, String> properties) {
        return String.valueOf(assertThrows(WireFormatException.class, () -> GangSpec.fromProperties(properties))
                .getMessage());
    }

    private static GangSpec.Group group(String name, List<String> models) {
        return new GangSpec.Group(name, 1, 1, ResourceVector.of(1, 1, 1), models);
    }

    private static String refused(String name, List<String> models) {
        return String.valueOf(assertThrows(WireFormatException.class, () -> group(name, models))
                .getMessage());
    }

    /** Each round holds them against the models of all nodes. */
    @Test
    void groupNamesFewModelsAndWordsAreShort() {
        List<String> models =
                IntStream.rangeClosed(1, 65).mapToObj(i -> "M" + i).toList();
        assertEquals("worker", group("worker", models.subList(0, 64)).name());
        assertEquals("task group 'worker' names 65 GPU models, must name at most 64", refused("worker", models));
        String right = "must have 1 to 128 characters, none of them a control character";
        assertEquals("the name of a task group is '', " + right, refused("", List.of()));
        assertEquals(
                "the name of a task group is '" + "x".repeat(129) + "', " + right, refused("x".repeat(129), List.of()));
        assertEquals("a GPU model of task group 'worker' is 'A\\x09B', " + right, refused("worker", List.of("A\tB")));
        assertEquals(
                "x".repeat(128),
                group("x".repeat(128), List.of("y".repeat(128))).name());
    }

    /** Whatever a plain client writes, what is said of it is one line of a log, and a short one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                GangSpec.SPEC_VERSION,
                GangSpec.GANG,
                GangSpec.MODEL_TAG,
                GangSpec.BATCH_SIZE,
                GangSpec.TOTAL_SAMPLES,
                GangSpec.MIN_RUNTIME_SECONDS,
                GangSpec.ZK_DIGEST,
                SizingSpec.WEIGHT,
                SizingSpec.DECAY_PER_HOUR,
                SizingSpec.TARGET_HOURS,
                SizingSpec.CAP
            })
    void refusalIsOneShortLine(String property) {
        Map<String, String> properties =
                new HashMap<>(new GangSpec(List.of(group("worker", List.of())), "", 0, false, 0, "").toProperties());
        for (String value : List.of(ATTACK, ATTACK.repeat(100_000))) {
            properties.put(property, value);
            String message = refused(properties);
            assertTrue(message.length() < 5_000, () -> message.length() + " characters");
            assertTrue(message.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x202e), message);
        }
    }
}
