// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treadle.core.model.energy.EnergyProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelZooTest {
    private static final Path TABLES = Path.of(System.getProperty("treadle.checkout", ".."))
            .resolve("../shared/data/energy/elasticflow_throughputs_A100");

    private static double iterationsPerSecond(String model, long batch, int gpus) {
        EnergyProfile energy =
                ModelZoo.profile(model, batch, 64, ClusterPower.A100).orElseThrow();
        return 1 / energy.seconds(energy.sizeOf(gpus), energy.caps() - 1);
    }

    /** Iterations in a second as ElasticFlow measured them on A100s. */
    @ParameterizedTest
    @CsvSource({
        "vgg16, 256, 1, 1.3137",
        "vgg16, 256, 8, 7.9964",
        "vgg16, 256, 64, 20.6557",
        "vgg16, 64, 4, 14.7550",
        "vgg16, 128, 16, 18.0598"
    })
    void timesAreNearTheMeasuredOnes(String model, long batch, int gpus, double measured) {
        assertEquals(1, iterationsPerSecond(model, batch, gpus) / measured, 0.1);
    }

    @Test
    void timesAreNearAllThatWereMeasured() throws Exception {
        assumeTrue(Files.isDirectory(TABLES), TABLES + " is not there: ElasticFlow's tables are not checked");
        double sum = 0;
        int count = 0;
        for (String model : ModelZoo.names()) {
            List<String> lines = Files.readAllLines(TABLES.resolve(model + ".csv"));
            String[] gpus = lines.get(0).split(",");
            for (String line : lines.subList(1, lines.size())) {
                String[] fields = line.split(",");
                long batch = Long.parseLong(fields[0]);
                assertTrue(ModelZoo.batches(model).contains(batch), model + " " + batch);
                for (int i = 1; i < fields.length; i++) {
                    if (Double.parseDouble("0" + fields[i]) > 0 && Integer.parseInt(gpus[i]) <= batch) {
                        sum += Math.abs(iterationsPerSecond(model, batch, Integer.parseInt(gpus[i]))
                                        / Double.parseDouble(fields[i])
                                - 1);
                        count++;
                    }
                }
            }
        }
        assertTrue(sum / count < 0.035, "off by " + sum / count + " on average of " + count);
    }

    /** resnet50 on V100s at 100 and 250 W of 250: 1.94 times as long and 0.447 of the draw (Zeus); half as far in watts. */
    @Test
    void capsCostWhatTheyWereMeasuredToCostInProportion() {
        EnergyProfile energy =
                ModelZoo.profile("resnet50", 256, 1, ClusterPower.A100).orElseThrow();
        double slower = energy.seconds(0, energy.capOf(150)) / energy.seconds(0, energy.capOf(400));
        // (1 - 0.064) + 0.064 x (400 / 150)^3.5
        assertEquals(2.917, slower, 0.01);
        assertTrue(energy.watts(0, 0) < 150 && energy.watts(0, energy.caps() - 1) < 400);
    }

    @Test
    void powersOfTwoUpToTheBatchAndNoFurther() {
        EnergyProfile energy =
                ModelZoo.profile("deepspeech2", 32, 64, ClusterPower.A100).orElseThrow();
        assertEquals(32, energy.gpus(energy.sizes() - 1));
        assertTrue(ModelZoo.profile("nobody", 32, 64, ClusterPower.A100).isEmpty());
        assertThrows(IllegalArgumentException.class, () -> ModelZoo.batches("nobody"));
    }

    @Test
    void capsEndWithTheDefaultLimit() {
        assertArrayEquals(new double[] {150, 200, 250, 300, 350, 400}, ClusterPower.A100.caps());
        assertArrayEquals(new double[] {100, 130, 160, 175}, new ClusterPower(1, 1, 100, 175, 30).caps());
    }
}
