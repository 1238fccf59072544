// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoJob;
import io.treadle.live.StartUp;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Recorded profiles as the simulator takes them, and what it makes of them, by hand. */
class PowerForecastTest {
    private static final StartUp START_UP = new StartUp(4, 2, 1);
    private static final PoweredWork MODEL = PoweredWork.VISION;

    /** A GPU does 300 samples a second with 340 W; under 160 W a fifth less. */
    private static final ProfileRecord PROFILE = new ProfileRecord(
                    "application_1_1", MODEL.modelTag(), "A100", 64, ProfileRecord.Phase.READY, 1, List.of(), 0)
            .withEnergy(List.of(point(400, 300, 340), point(240, 280, 238), point(160, 240, 160)));

    private static EnergyPoint point(double cap, double speed, double watts) {
        return new EnergyPoint(1, 1, 64, cap, speed, watts, 10, 0.005, 2);
    }

    private static DemoJob job(String name, double seconds) {
        DemoJob job = MODEL.job(name, 1, seconds, 0);
        return new DemoJob(
                name,
                job.work(),
                1,
                1,
                job.vcoresPerWorker(),
                List.of(),
                Math.round(300 * seconds),
                job.arrivalSeconds());
    }

    private static PowerForecast.Word foretold(double budgetWatts, DemoJob... jobs) {
        List<DemoJob> all = List.of(jobs);
        return new PowerForecast(Map.of(MODEL.modelTag(), PROFILE))
                .of(
                        all,
                        all.stream().map(DemoJob::arrivalSeconds).toList(),
                        all.stream().map(any -> START_UP).toList(),
                        PowerBench.POLICY,
                        budgetWatts);
    }

    @Test
    void aJobAloneTrainsAsItWasMeasuredAndCostsWhatItCost() {
        PowerForecast.Word word = foretold(PowerNodes.peakWatts(), job("alone", 100));
        assertEquals(100 + 4 + 2 + 1, word.meanJctSeconds(), 0.5);
        assertEquals(340 * 100, word.allJoules(), 340);
        // Two hosts of 300 W, seven idle GPUs of 60 W and the one that trains, a tenth more for the power supplies.
        assertEquals(600 + 1.1 * (7 * 60 + 340), word.mostWatts(), 5);
    }

    @Test
    void whatABudgetLeavesIsKeptTo() {
        // 818 W for GPUs, of which eight idle ones take 480: two train under caps.
        double budget = 1_500;
        PowerForecast.Word word = foretold(budget, job("a", 50), job("b", 60));
        assertTrue(word.mostWatts() <= budget, word::toString);
        double first = Objects.requireNonNull(word.jobs().get("a")).jctSeconds();
        assertTrue(first > 57 * 1.01, () -> "capped: " + word);
    }

    @Test
    void aModelThatNobodyMeasuredIsNamed() {
        DemoException said =
                assertThrows(DemoException.class, () -> foretold(2_000, PoweredWork.SPEECH.job("speech", 1, 10, 0)));
        assertEquals("there is no profile of speech", said.getMessage());
    }
}
