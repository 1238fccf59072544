// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake that a user can make, with the message that it gets: {@code job-spec-errors.txt}. */
class JobSpecErrorsTest {
    static Stream<Arguments> mistakes() throws IOException {
        try (InputStream in = JobSpecErrorsTest.class.getResourceAsStream("/job-spec-errors.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split("(?m)^=== "))
                    .skip(1)
                    .map(block -> {
                        int end = block.indexOf("\n");
                        String kind = block.substring(0, end).strip();
                        String[] parts = block.substring(end + 1).split("\n--- error\n", 2);
                        return Arguments.of(specification(kind, parts[0]), parts[1].strip());
                    })
                    .toList()
                    .stream();
        }
    }

    private static String specification(String kind, String text) {
        return switch (kind) {
            case "line 4, in a task group" -> "tasks:\n  worker:\n    command: x\n    " + text;
            case "line 1, before the tasks" -> text + "\ntasks: {worker: {command: x}}";
            case "whole file" -> text;
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysWhatIsWrongAndWhatWouldBeRight(String text, String message) {
        JobSpecException error = assertThrows(JobSpecException.class, () -> JobSpecParser.fromYaml("job.yaml", text));
        assertEquals(message, error.getMessage());
    }

    @Test
    void limitsSizeDepthAndAliases() {
        assertRefused("#".repeat(YamlDocument.MAX_CHARACTERS + 1), "must have at most 1048576");
        assertRefused("[".repeat(500), "Nesting Depth exceeded");
        StringBuilder laughs = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 60; i++) {
            laughs.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        assertRefused(laughs.toString(), "aliases");
    }

    @Test
    void controlCharactersAreNamedWithTheirLine() {
        assertRefused("name: a\nqueue: \u0007b", "job.yaml:2: character U+0007 may not stand in YAML.");
    }

    @Test
    void textThatNoPersonWroteHasNoLines() {
        JobSpecException error = assertThrows(
                JobSpecException.class,
                () -> JobSpecParser.fromJson(
                        "command line", "{\"tasks\": {\"worker\": {\"command\": 1, \"min\": 2}}}"));
        assertEquals(
                "command line: field 'min' of task group 'worker' is 2, must be at most the group's count, which is 1.",
                error.getMessage());
    }

    private static void assertRefused(String text, String part) {
        JobSpecException error = assertThrows(JobSpecException.class, () -> JobSpecParser.fromYaml("job.yaml", text));
        assertTrue(error.getMessage().contains(part), error.getMessage());
    }
}
