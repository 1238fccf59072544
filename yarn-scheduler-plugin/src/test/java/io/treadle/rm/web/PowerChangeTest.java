// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.PowerBudgetsRecord;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerChangeTest {
    @Test
    void budgetsOfQueuesAndOfTheCluster() {
        assertEquals(
                new PowerChange(Optional.of("root.a"), watts(Optional.of(OptionalDouble.of(3000.5))), Optional.empty()),
                PowerChange.parse("{\"queue\":\"root.a\",\"watts\":3000.5}"));
        assertEquals(
                new PowerChange(Optional.empty(), watts(Optional.of(OptionalDouble.empty())), Optional.empty()),
                PowerChange.parse("{\"cluster\":true,\"watts\":null}"));
        assertEquals(
                new PowerChange(Optional.of("root.a"), watts(Optional.empty()), Optional.empty()),
                PowerChange.parse("{\"queue\":\"root.a\",\"watts\":\"setting\"}"));
    }

    private static Optional<PowerChange.Watts> watts(Optional<OptionalDouble> value) {
        return Optional.of(new PowerChange.Watts(value));
    }

    @Test
    void energyBudgetsLeaveWattsAsTheyAre() {
        PowerChange day = PowerChange.parse("{\"queue\":\"root.a\",\"budget\":\"500 kWh/day\"}");
        PowerBudgetsRecord before = PowerBudgetsRecord.EMPTY.withQueue("root.a", Optional.of(OptionalDouble.of(3000)));
        PowerBudgetsRecord after = day.appliedTo(before);
        assertEquals(before.queues(), after.queues());
        assertEquals(Map.of("root.a", "window:500/24h"), after.queueEnergies());
        assertEquals(
                before,
                PowerChange.parse("{\"queue\":\"root.a\",\"budget\":\"setting\"}")
                        .appliedTo(after));
        PowerBudgetsRecord both = PowerChange.parse("{\"cluster\":true,\"budget\":null,\"watts\":7}")
                .appliedTo(after);
        assertEquals(Optional.of("none"), both.clusterEnergy());
        assertEquals(Optional.of(OptionalDouble.of(7)), both.cluster());
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
                "{\"queue\":\"root\",\"budget\":7} | budget is 7, must be",
                "{\"queue\":\"root\",\"budget\":\"much\"} | budget 'much' is none",
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
