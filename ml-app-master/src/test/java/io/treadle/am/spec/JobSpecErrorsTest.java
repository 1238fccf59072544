// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake that a user can make, with the message that it gets. */
class JobSpecErrorsTest {
    private static final String JOB_FIELDS =
            "version, name, queue, modelTag, batchSize, totalSamples, elastic, minRuntime, maxRestarts, maxAmAttempts,"
                    + " env, files, archives, checkpointDir, appMaster, profiling, tasks.";
    private static final String GROUP_FIELDS =
            "count, min, gpusPerWorker, gpuMemory, gpuModel, vcores, memory, storageBandwidth, power, command, env.";

    static Stream<Arguments> mistakes() {
        return Stream.of(mistake("", "PLACEHOLDER"));
    }

    /** A line of a task group that has a command in line 3. */
    private static Arguments group(String line, String message) {
        return mistake("tasks:\n  worker:\n    command: x\n    " + line, message);
    }

    /** A line of a job that ends in a proper task group. */
    private static Arguments job(String line, String message) {
        return mistake(line + "\ntasks: {worker: {command: x}}", message);
    }

    private static Arguments mistake(String text, String message) {
        return Arguments.of(text, message);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysWhatIsWrongAndWhatWouldBeRight(String text, String message) {
        JobSpecException error = assertThrows(JobSpecException.class, () -> JobSpecParser.fromYaml("job.yaml", text));
        assertEquals(message, error.getMessage());
    }
}
