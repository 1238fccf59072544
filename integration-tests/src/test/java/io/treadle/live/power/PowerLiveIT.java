// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoJob;
import io.treadle.demo.DemoResult;
import io.treadle.demo.RecordedRounds;
import io.treadle.demo.Screen;
import io.treadle.demo.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs under a budget of half of what the nodes could draw: they are measured while they train, grow, are capped, lose no
 * samples, and the nodes keep to the budget. The simulator's sessions plan every round alike.
 */
@Tag("alone")
class PowerLiveIT {
    private static final String POLICY = "powerflow";
    private static final List<DemoJob> MIX = List.of(
            PoweredWork.VISION.job("vision-a", 4, 70, 0),
            PoweredWork.LANGUAGE.job("language-b", 4, 65, 1),
            PoweredWork.VISION.job("vision-c", 4, 40, 15));

    @Test
    void aMixKeepsToTheBudget(@TempDir Path rounds) throws Exception {
        double budget = 0.5 * PowerNodes.peakWatts();
        Screen screen = Terminal.screen(new PrintStream(System.out, true, StandardCharsets.UTF_8), 120);
        PowerOutcome outcome;
        Path work;
        Map<String, String> settings = new HashMap<>(PowerNodes.settings("50%"));
        settings.put("yarn.scheduler.treadle.record-dir", rounds.toString());
        try (EmbeddedCluster cluster =
                DemoCluster.start(PowerNodes.ALL, List.of(POLICY), CpuShare.of(2, 32), starting -> {}, settings)) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            outcome = new PowerRun(cluster, screen).run(MIX, POLICY);
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
        for (DemoResult.Job job : outcome.jobs()) {
            assertTrue(job.succeeded(), job.toString());
        }
        for (PoweredWork model : List.of(PoweredWork.VISION, PoweredWork.LANGUAGE)) {
            ProfileRecord profile = Objects.requireNonNull(outcome.profiles().get(model.modelTag()), model.modelTag());
            assertTrue(
                    profile.energy().stream()
                                    .map(EnergyPoint::capWatts)
                                    .distinct()
                                    .count()
                            >= 3,
                    profile.toString());
        }
        assertTrue(
                outcome.joules().values().stream().allMatch(joules -> joules > 0), () -> "joules: " + outcome.joules());
        assertTrue(
                PowerWatch.highestMinute(outcome.samples()) <= 1.02 * budget,
                () -> "over " + budget + " W: " + outcome.samples());
        assertTrue(
                RecordedRounds.planAgain(rounds, POLICY).starts() >= MIX.size(),
                "rounds are planned again as they were");
    }
}
