// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LargeGangTest {
    /** No JSON at all: it would be refused for that, had it been parsed. */
    @Test
    void gangWithTooManyCharactersIsRefusedBeforeItIsParsed() {
        String gang = "x".repeat(GangSpec.MOST_CHARACTERS + 1);
        WireFormatException refused = assertThrows(
                WireFormatException.class,
                () -> GangSpec.fromProperties(Map.of("treadle.spec-version", "1", GangSpec.GANG, gang)));
        assertEquals(
                "treadle.gang has 65537 characters, must have at most 65536 for at most 64 task groups",
                refused.getMessage());
    }
}
