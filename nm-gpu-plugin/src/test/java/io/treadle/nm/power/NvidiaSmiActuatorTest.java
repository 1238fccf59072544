// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.NvidiaSmiProvider;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import io.treadle.nm.device.ProcessCommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against scripts that stand in for nvidia-smi, and for a wrapper that runs it as root. */
class NvidiaSmiActuatorTest {
    private static final GpuDevice GPU = new GpuDevice("GPU-aa", 0, "A100", 40960, 400);

    private final Path directory;
    private final ProcessCommandRunner runner = new ProcessCommandRunner(30_000);

    NvidiaSmiActuatorTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void setsThroughTheWrapperAndReadsWithoutIt() throws Exception {
        String smi = script(
                "nvidia-smi",
                """
                case "$*" in
                  *--query-gpu=index*) echo "0, GPU-aa, A100, 40960, 512, 61.50, 400.00, 7, 33" ;;
                  "-i GPU-aa --query-gpu=power.min_limit,power.max_limit,power.default_limit,power.limit,enforced.power.limit --format=csv,noheader,nounits")
                    echo "100.00, 400.00, 400.00, 312.50, 300.00" ;;
                  *) exit 97 ;;
                esac
                """);
        String wrapper = script("wrapper", "echo \"$@\" >> \"$(dirname \"$0\")/asked\"\n");
        try (NvidiaSmiActuator actuator = actuator(smi, wrapper, "as-root")) {
            actuator.set(GPU, 312_500);
            actuator.set(GPU, 250_000);
            assertEquals(
                    "as-root -i GPU-aa -pl 312.5\nas-root -i GPU-aa -pl 250\n",
                    Files.readString(directory.resolve("asked")));
            assertEquals(new PowerLimits(100_000, 400_000, 400_000, 312_500, 300_000), actuator.limits(GPU));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4 | Unable to set power management limit for GPU: Insufficient Permissions | NO_PERMISSION",
                "1 | sudo: a password is required | NO_PERMISSION",
                "2 | Provided power limit 50.00 W is not a valid power limit which should be between 100 and 400 | OUT_OF_RANGE",
                "3 | Changing power management limit is not supported for GPU | NOT_SUPPORTED",
                "15 | GPU is lost | LOST",
                "255 | something else | FAILED",
            })
    void refusalIsUnderstood(int status, String said, Reason reason) throws IOException {
        String wrapper = script("wrapper", "echo '" + said + "'\nexit " + status + "\n");
        try (NvidiaSmiActuator actuator = actuator(listing(), wrapper)) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> actuator.set(GPU, 250_000));
            assertEquals(reason, refused.reason());
            assertTrue(String.valueOf(refused.getMessage()).contains(said), refused.getMessage());
        }
    }

    @Test
    void boardWithoutLimitsSaysSo() throws IOException {
        String smi = script(
                "nvidia-smi",
                "case \"$1\" in -i) echo '[N/A], [N/A], [N/A], [N/A], [N/A]';;"
                        + " *) echo '0, GPU-aa, T4, 15360, 0, 61.50, [N/A], 7, 33';; esac\n");
        try (NvidiaSmiActuator actuator = actuator(smi, smi)) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> actuator.limits(GPU));
            assertEquals(Reason.NOT_SUPPORTED, refused.reason());
        }
    }

    @Test
    void wrapperThatIsAbsentIsNamed() throws IOException {
        try (NvidiaSmiActuator actuator =
                actuator(listing(), directory.resolve("absent").toString())) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> actuator.set(GPU, 250_000));
            assertTrue(String.valueOf(refused.getMessage()).contains("cannot run"), refused.getMessage());
        }
    }

    private NvidiaSmiActuator actuator(String smi, String... command) {
        return new NvidiaSmiActuator(List.of(command), runner, NvidiaSmiProvider.open(smi, runner));
    }

    private String listing() throws IOException {
        return script("nvidia-smi", "echo '0, GPU-aa, A100, 40960, 512, 61.50, 400.00, 7, 33'\n");
    }

    private String script(String name, String text) throws IOException {
        Path script = directory.resolve(name);
        Files.writeString(script, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script.toString();
    }
}
