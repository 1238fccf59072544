// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetUseRecordTest {
    @Test
    void isWrittenAsTheSpecHasItAndComesBack() {
        BudgetUseRecord record = new BudgetUseRecord(
                Optional.of(new BudgetUseRecord.Use("total:500", 1767225600000L, 7.2e6, 9e6)),
                Map.of("root.a", new BudgetUseRecord.Use("window:20/6h", 1767225600000L, 100, 100.5)));
        assertEquals(
                "{\"schema\":1,\"cluster\":{\"budget\":\"total:500\",\"atMs\":1767225600000,\"usedJoules\":7200000.0,"
                        + "\"ledgerJoules\":9000000.0},\"queues\":{\"root.a\":{\"budget\":\"window:20/6h\","
                        + "\"atMs\":1767225600000,\"usedJoules\":100.0,\"ledgerJoules\":100.5}}}",
                record.toJson());
        assertEquals(record, BudgetUseRecord.fromJson("used", record.toJson()));
        assertEquals(BudgetUseRecord.EMPTY, BudgetUseRecord.fromJson("used", "{\"schema\":1,\"later\":7}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"schema\":2}",
                "{\"schema\":1,\"cluster\":{\"budget\":\"total:5\",\"atMs\":1,\"usedJoules\":-1,\"ledgerJoules\":0}}",
                "{\"schema\":1,\"queues\":{\"root.a\":{\"atMs\":1,\"usedJoules\":1,\"ledgerJoules\":0}}}",
                "nonsense"
            })
    void whatCannotBeMeantIsRefused(String text) {
        assertThrows(WireFormatException.class, () -> BudgetUseRecord.fromJson("used", text));
    }
}
