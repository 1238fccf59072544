// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerChangeTest {
    @Test
    void budgetsOfQueuesAndOfTheCluster() {
        assertEquals(
                new PowerChange(Optional.of("root.a"), Optional.of(OptionalDouble.of(3000.5))),
                PowerChange.parse("{\"queue\":\"root.a\",\"watts\":3000.5}"));
        assertEquals(
                new PowerChange(Optional.empty(), Optional.of(OptionalDouble.empty())),
                PowerChange.parse("{\"cluster\":true,\"watts\":null}"));
        assertEquals(
                new PowerChange(Optional.of("root.a"), Optional.empty()),
                PowerChange.parse("{\"queue\":\"root.a\",\"watts\":\"setting\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | is not JSON",
                "[] | must be a JSON object",
                "{\"watts\":5} | either 'queue'",
                "{\"queue\":\"root\",\"cluster\":true,\"watts\":5} | either 'queue'",
                "{\"cluster\":false,\"watts\":5} | either 'queue'",
                "{\"queue\":7,\"watts\":5} | either 'queue'",
                "{\"queue\":\"root\"} | watts is null, must be",
                "{\"queue\":\"root\",\"watts\":0} | watts is 0, must be",
                "{\"queue\":\"root\",\"watts\":\"12kW\"} | watts is \"12kW\", must be",
                "{\"queue\":\"root\",\"watts\":1e10} | watts is 1.0E10, must be",
                "{\"queue\":\"root\",\"watts\":5,\"wats\":6} | unknown field 'wats'",
            })
    void whatIsNoneIsRefused(String body, String part) {
        String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> PowerChange.parse(body))
                .getMessage());
        assertTrue(message.contains(part), message);
    }
}
