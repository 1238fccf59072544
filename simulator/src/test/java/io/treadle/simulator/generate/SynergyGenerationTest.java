// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.engine.Reference;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.trace.SynergyModels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SynergyGenerationTest {
    @ParameterizedTest
    @CsvSource({
        "standin_load7_20-70-10_r3_seed42, 7, 20:70:10, single",
        "standin_load8_20-70-10_r3_seed42, 8, 20:70:10, single",
        "standin_load9_20-70-10_r3_seed42, 9, 20:70:10, single",
        "standin_load9_50-0-50_r3_seed42, 9, 50:0:50, single",
        "synthetic_load5_20-70-10_r3_seed42, 5, 20:70:10, synthetic",
        "standin-multi_load3_20-70-10_r3_seed42, 3, 20:70:10, philly",
    })
    void theArtifactsListsToTheLastIteration(String list, double load, String split, String gpus) {
        Path file = Reference.file("synergy/lists/" + list + ".csv.gz");
        List<String> expected = new ArrayList<>();
        Table.withHeader(file)
                .forEach(row -> expected.add(String.join(
                        ",",
                        row.text("job_id"),
                        row.text("arrival_s"),
                        row.text("gpus"),
                        row.text("model"),
                        row.text("task"),
                        row.text("total_iterations"))));
        assertEquals(24_000, expected.size());
        assertEquals(expected, rows(draw(24_000, 42, load, split, gpus)));
    }

    /** Python's own {@code random.Random(42)}: the first four numbers and digits after them. */
    @Test
    void numbersArePythons() {
        PythonRandom random = new PythonRandom(42);
        assertEquals(0.6394267984578837, random.random());
        assertEquals(0.025010755222666936, random.random());
        assertEquals(0.27502931836911926, random.random());
        assertEquals(0.22321073814882275, random.random());
        PythonRandom digits = new PythonRandom(42);
        int[] drawn = new int[10];
        Arrays.setAll(drawn, i -> digits.digit());
        assertEquals("[1, 0, 4, 3, 3, 2, 1, 8, 1, 9]", Arrays.toString(drawn));
    }

    /** Computed from the recipe with Python's own generator. */
    @Test
    void aFewJobsOfOtherSeeds() {
        assertEquals(
                List.of(
                        "0,157,1,alexnet,IMAGE,3447",
                        "1,358,1,gnmt,LANG,34181",
                        "2,389,1,transformer,LANG,29317",
                        "3,429,1,m5,SPEECH,122162"),
                rows(draw(4, 7, 9, "20:70:10", "single")));
        assertEquals(
                List.of(
                        "0,104,1,alexnet,IMAGE,580463",
                        "1,1135,1,gnmt,LANG,58666",
                        "2,1156,2,m5,SPEECH,270873",
                        "3,2013,1,res18,IMAGE,47283"),
                rows(draw(4, 1, 5, "33:33:33", "synthetic")));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 42, 1_000_000})
    void everyFigureIsWithinItsBound(int seed) {
        for (String gpus : SynergyGeneration.gpuMixes()) {
            SynergyGeneration generation = draw(20_000, seed, 9, "20:70:10", gpus);
            assertTrue(generation.isSound(), generation::report);
        }
        assertTrue(draw(1, seed, 9, "50:0:50", "single").isSound());
    }

    private static SynergyGeneration draw(int jobs, int seed, double load, String split, String gpus) {
        return SynergyGeneration.draw(new SynergyGeneration.Request(
                jobs,
                seed,
                load,
                Arrays.stream(split.split(":", -1)).map(Integer::valueOf).toList(),
                gpus));
    }

    private static List<String> rows(SynergyGeneration generation) {
        return generation.jobs().stream()
                .map(job -> job.id() + "," + job.arrivalSeconds() + "," + job.gpus() + "," + job.model() + ","
                        + SynergyWorkload.TASKS.get(job.task()) + ","
                        + (long) (job.drawnSeconds() / SynergyModels.secondsPerIteration(job.model())))
                .toList();
    }
}
