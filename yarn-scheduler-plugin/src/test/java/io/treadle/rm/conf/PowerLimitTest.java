// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PowerLimitTest {
    @ParameterizedTest
    @CsvSource({"12000, 12000", "12000W, 12000", "12kW, 12000", "1.5 kw, 1500", "70%, 7000", "100 %, 10000", "1, 1"})
    void wattsAndSharesOfTenKilowatts(String value, double watts) {
        assertEquals(watts, PowerLimit.parse("key", value).orElseThrow().watts(10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "none", "None"})
    void noBudget(String value) {
        assertEquals(Optional.empty(), PowerLimit.parse("key", value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0%", "101%", "-5", "0.5W", "12MW", "1e4", "NaN", "2000000000", "2000000kW", "12 k W"})
    void whatIsNoneIsRefused(String value) {
        assertEquals(
                "key is '" + value + "', must be watts from 1 to 1000000000 such as 12000 or 12kW, a share above 0% and"
                        + " at most 100% such as 70%, or none",
                assertThrows(IllegalArgumentException.class, () -> PowerLimit.parse("key", value))
                        .getMessage());
    }

    @Test
    void peopleReadIt() {
        assertEquals("12,000 W", new PowerLimit(12_000, false).toString());
        assertEquals("70 %", new PowerLimit(0.7, true).toString());
    }
}
