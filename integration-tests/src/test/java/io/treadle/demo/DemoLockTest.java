// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoLockTest {
    @Test
    void aSecondDemoIsRefusedUntilTheFirstEnds(@TempDir Path directory) {
        Path file = directory.resolve("lock");
        try (DemoLock first = DemoLock.take(file)) {
            DemoException refusal = assertThrows(DemoException.class, () -> DemoLock.take(file));
            assertTrue(
                    String.valueOf(refusal.getMessage()).startsWith("another demo is running"), refusal.getMessage());
            assertNotNull(first);
        }
        DemoLock.take(file).close();
    }

    /** Its place is one where anybody may make files. */
    @Test
    void aLinkIsNotFollowedToTheFileThatItNames(@TempDir Path directory) throws Exception {
        Path mine = Files.writeString(directory.resolve("mine"), "precious");
        Path file = Files.createSymbolicLink(directory.resolve("lock"), mine);
        DemoException refusal = assertThrows(DemoException.class, () -> DemoLock.take(file));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith("lock file " + file), refusal.getMessage());
        assertEquals("precious", Files.readString(mine));
    }
}
