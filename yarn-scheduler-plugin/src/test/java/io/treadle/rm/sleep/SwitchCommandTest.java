// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwitchCommandTest {
    private static Path script(Path folder, String body) throws IOException {
        Path script = folder.resolve("switch");
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String refused(Path script, Duration limit) {
        return String.valueOf(assertThrows(IOException.class, () -> new SwitchCommand(script, limit).turn(false, "n1"))
                .getMessage());
    }

    @Test
    void isCalledWithWhatAndWhich(@TempDir Path folder) throws Exception {
        Path script = script(folder, "echo $1 $2 >> " + folder + "/calls");
        SwitchCommand command = new SwitchCommand(script, Duration.ofSeconds(30));
        command.turn(false, "n1");
        command.turn(true, "n1");
        assertEquals("off n1\non n1\n", Files.readString(folder.resolve("calls")));
    }

    @Test
    void failureHasCodeAndOutput(@TempDir Path folder) throws Exception {
        Path script = script(folder, "echo no such; echo machine >&2; exit 3");
        assertEquals("'" + script + " off n1' ended with 3: no such machine", refused(script, Duration.ofSeconds(30)));
    }

    @Test
    void whatTakesTooLongIsKilled(@TempDir Path folder) throws Exception {
        Path script = script(folder, "exec sleep 600");
        assertEquals(
                "'" + script + " off n1' did not end in 1 s and was killed", refused(script, Duration.ofSeconds(1)));
    }
}
