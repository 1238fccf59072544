// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's half of the protocol; the daemon's is in {@code PowerHelperTest}. */
class HelperActuatorTest {
    @Test
    void limitsComeBackAsTheyWent() throws PowerLimitException {
        PowerLimits limits = new PowerLimits(100_000, 400_000, 390_000, 250_000, 240_000);
        assertEquals(limits, HelperProtocol.parse(HelperProtocol.ok(limits)));
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void refusalsComeBackAsTheyWent(Reason reason) {
        String line = HelperProtocol.error(new PowerLimitException(reason, "NVML says\nno — " + "x".repeat(400)));
        assertTrue(line.length() <= HelperProtocol.MOST_LINE && !line.contains("\n"), line);
        PowerLimitException refused = assertThrows(PowerLimitException.class, () -> HelperProtocol.parse(line));
        assertEquals(reason, refused.reason());
        assertTrue(String.valueOf(refused.getMessage()).startsWith("helper: NVML says no"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "OK", "OK 1 2 3 4", "OK 1 2 3 4 -5", "HTTP/1.1 200 OK", "ERR WHAT it is"})
    void whatIsNoAnswerIsAFailure(String answer) {
        PowerLimitException refused = assertThrows(PowerLimitException.class, () -> HelperProtocol.parse(answer));
        assertEquals(Reason.FAILED, refused.reason());
    }

    @Test
    void helperThatIsNotThereIsNamed(@TempDir Path directory) {
        Path socket = directory.resolve("helper.sock");
        try (HelperActuator actuator = new HelperActuator(socket, 1_000)) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> actuator.limits(CapsFixture.A));
            assertEquals(Reason.FAILED, refused.reason());
            assertTrue(String.valueOf(refused.getMessage()).contains(socket.toString()), refused.getMessage());
        }
    }
}
