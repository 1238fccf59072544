// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerBudgetsRecordTest {
    private static final PowerBudgetsRecord RECORD = new PowerBudgetsRecord(
            Optional.of(OptionalDouble.of(9000)),
            Map.of("root.a", OptionalDouble.of(2500.5), "root.b", OptionalDouble.empty()),
            Optional.empty(),
            Map.of());

    @Test
    void isWrittenAsTheSpecHasItAndComesBack() {
        assertEquals(
                "{\"schema\":1,\"cluster\":{\"watts\":9000.0},\"queues\":{\"root.a\":{\"watts\":2500.5},\"root.b\":{}}}",
                RECORD.toJson());
        assertEquals(RECORD, PowerBudgetsRecord.fromJson("budgets", RECORD.toJson()));
        assertEquals(
                PowerBudgetsRecord.EMPTY, PowerBudgetsRecord.fromJson("budgets", "{\"schema\":1,\"later\":\"field\"}"));
    }

    @Test
    void budgetsAreSetLiftedAndLeftToTheSettings() {
        PowerBudgetsRecord changed = RECORD.withCluster(Optional.of(OptionalDouble.empty()))
                .withQueue("root.a", Optional.empty())
                .withQueue("root.c", Optional.of(OptionalDouble.of(7)));
        assertEquals(
                new PowerBudgetsRecord(
                        Optional.of(OptionalDouble.empty()),
                        Map.of("root.b", OptionalDouble.empty(), "root.c", OptionalDouble.of(7)),
                        Optional.empty(),
                        Map.of()),
                changed);
        assertEquals(changed, PowerBudgetsRecord.fromJson("budgets", changed.toJson()));
    }

    @Test
    void energyBudgetsStandBesideThoseInWatts() {
        PowerBudgetsRecord with = RECORD.withClusterEnergy(Optional.of("total:500"))
                .withQueueEnergy("root.a", Optional.of("window:20/6h"))
                .withQueueEnergy("root.c", Optional.of("none"));
        assertEquals(
                "{\"schema\":1,\"cluster\":{\"watts\":9000.0},\"queues\":{\"root.a\":{\"watts\":2500.5},\"root.b\":{}},"
                        + "\"clusterEnergy\":\"total:500\","
                        + "\"queueEnergies\":{\"root.a\":\"window:20/6h\",\"root.c\":\"none\"}}",
                with.toJson());
        assertEquals(with, PowerBudgetsRecord.fromJson("budgets", with.toJson()));
        assertEquals(
                RECORD,
                with.withClusterEnergy(Optional.empty())
                        .withQueueEnergy("root.a", Optional.empty())
                        .withQueueEnergy("root.c", Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"schema\":2} | schema 2",
                "{\"schema\":1,\"cluster\":{\"watts\":0}} | watts",
                "{\"schema\":1,\"cluster\":7} | cluster",
                "{\"schema\":1,\"queues\":{\"root.a\":{\"watts\":\"many\"}}} | watts",
            })
    void whatCannotBeMeantIsRefused(String text, String named) {
        String message = String.valueOf(
                assertThrows(WireFormatException.class, () -> PowerBudgetsRecord.fromJson("budgets", text))
                        .getMessage());
        assertTrue(message.contains(named), message);
    }
}
