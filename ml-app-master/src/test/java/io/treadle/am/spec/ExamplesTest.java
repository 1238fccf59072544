// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is shown to users must work, and everything that works must be shown. */
class ExamplesTest {
    private static final Path CHECKOUT = Path.of(System.getProperty("treadle.checkout", ".."));
    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyExampleIsAJob() throws IOException {
        try (Stream<Path> files = Files.list(CHECKOUT.resolve("conf/examples"))) {
            List<Path> examples = files.filter(file -> file.toString().matches(".*\\.(yaml|json)"))
                    .toList();
            assertFalse(examples.isEmpty());
            for (Path example : examples) {
                JobSpec spec = JobSpecParser.fromYaml(example.toString(), Files.readString(example));
                assertEquals(spec, JobSpecParser.fromJson(JobSpecParser.toJson(spec)));
            }
        }
    }

    @Test
    void everyExampleInTheSpecificationIsAJob() throws IOException {
        List<String> blocks = BLOCK.matcher(documentation())
                .results()
                .map(result -> result.group(1))
                .toList();
        assertFalse(blocks.isEmpty());
        blocks.forEach(block -> JobSpecParser.fromYaml("job-spec.md", block));
    }

    @Test
    void everyFieldIsDocumented() throws IOException {
        String documentation = documentation();
        Stream.of(JobSpecParser.FIELDS, TaskGroupReader.FIELDS, List.of("appMaster.memory", "profiling.maxSeconds"))
                .flatMap(List::stream)
                .forEach(field -> assertTrue(documentation.contains("| `" + field + "` |"), field));
    }

    private static String documentation() throws IOException {
        return Files.readString(CHECKOUT.resolve("docs/spec/job-spec.md"));
    }
}
