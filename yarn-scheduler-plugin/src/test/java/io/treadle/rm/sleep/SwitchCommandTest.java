// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Commands give the name on, as in {@code ssh "$2" …}: one that begins with a dash would be an option there. */
    @ParameterizedTest
    @ValueSource(strings = {"-oProxyCommand=id", "", "a b", "a\nb", "$(id)", "a;id", "../a"})
    void whatIsNoHostsNameIsGivenToNoCommand(String name, @TempDir Path folder) throws Exception {
        Path script = script(folder, "echo called >> " + folder + "/calls");
        SwitchCommand command = new SwitchCommand(script, Duration.ofSeconds(30));
        String message = String.valueOf(
                assertThrows(IOException.class, () -> command.turn(true, name)).getMessage());
        assertEquals(
                "host '" + name + "' is switched by no command: hosts have names of letters, digits, '.', '-', '_' and"
                        + " ':' that begin with a letter or a digit",
                message);
        assertFalse(Files.exists(folder.resolve("calls")));
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
