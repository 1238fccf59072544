// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueBudgetTest {
    @ParameterizedTest
    @CsvSource({"12000, 12000, 12000", "12kW, 12000, 12000", "1.5 kw, 1500, 1500", "800W, 800, 800", "70%, 7000, 70%"})
    void wattsAndShares(String text, double watts, String again) {
        QueueBudget budget = QueueBudget.parse(text);
        assertEquals(watts, budget.watts(10_000), 1e-9);
        assertEquals(again, budget.text());
        assertEquals(budget, QueueBudget.parse(budget.text()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0%", "101%", "-5", "12MW", "2e9", "2000000000", "none"})
    void othersAreNone(String text) {
        assertEquals(
                "'" + text
                        + "' is no power budget, must be watts from 1 to 1000000000 such as 12000 or 12kW, or a share"
                        + " above 0% and at most 100% such as 70%",
                assertThrows(IllegalArgumentException.class, () -> QueueBudget.parse(text))
                        .getMessage());
    }
}
