// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static final Arguments.Grammar GRAMMAR =
            new Arguments.Grammar(Set.of("--detach"), Set.of("--queue", "--workers"), Set.of("--env", "-D"));

    private static Arguments parse(String... arguments) {
        return Arguments.parse(GRAMMAR, List.of(arguments));
    }

    private static String refusal(String... arguments) {
        return assertThrows(UsageException.class, () -> parse(arguments)).getMessage();
    }

    @Test
    void takesEveryForm() {
        Arguments parsed = parse(
                "job.yaml",
                "--queue",
                "a",
                "--workers=2",
                "-D",
                "a=b",
                "-Dc=d",
                "--env",
                "A=",
                "--env=B=C",
                "--detach");
        assertEquals(List.of("job.yaml"), parsed.words());
        assertEquals(Optional.of("a"), parsed.value("--queue"));
        assertEquals(Optional.of("2"), parsed.value("--workers"));
        assertEquals(List.of("a=b", "c=d"), parsed.all("-D"));
        assertEquals(List.of("A=", "B=C"), parsed.all("--env"));
        assertTrue(parsed.has("--detach"));
        assertEquals(Optional.empty(), parsed.command());
    }

    @Test
    void leavesTheCommandAlone() {
        Arguments parsed = parse("--workers", "2", "--", "python3", "--queue", "--", "-x");
        assertEquals(Optional.of(List.of("python3", "--queue", "--", "-x")), parsed.command());
        assertEquals(Optional.empty(), parsed.value("--queue"));
    }

    @Test
    void refusesWhatMeansNothing() {
        assertEquals(
                "unknown option '--worker'.\nMaybe '--workers'. Options: --detach, --env, --queue, --workers, -D.",
                refusal("--worker", "2"));
        assertEquals("option --queue needs a value", refusal("--queue"));
        assertEquals("option --queue is given twice: 'a' and 'b'", refusal("--queue", "a", "--queue=b"));
        assertEquals("option --detach takes no value, but is given as '--detach=yes'", refusal("--detach=yes"));
    }
}
