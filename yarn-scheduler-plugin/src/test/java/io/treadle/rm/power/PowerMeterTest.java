// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import static io.treadle.rm.power.Records.ADA;
import static io.treadle.rm.power.Records.BOB;
import static io.treadle.rm.power.Records.GONE;
import static io.treadle.rm.power.Records.container;
import static io.treadle.rm.power.Records.gpu;
import static io.treadle.rm.power.Records.node;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PowerMeterTest {
    private final PowerMeter meter = new PowerMeter(Records.owners());

    @Test
    void nodesAddUpAndGpusBelongToWhoHoldsThem() {
        meter.seen("n1", node(900, gpu(0, 300, 400, container(ADA, 2)), gpu(1, 60, 400)), 0);
        meter.seen(
                "n2",
                node(500, gpu(0, 200, 400, container(ADA, 3), container(BOB, 2)), gpu(1, 90, 400, container(GONE, 2))),
                0);
        ClusterDraw draw = meter.draw(0);
        assertEquals(1400, draw.watts());
        assertEquals(Map.of(ADA, 400.0, BOB, 100.0), draw.jobs());
        assertEquals(Map.of("root.ml.a", 400.0, "root.ml.b", 100.0), draw.queues());
        assertEquals(500, draw.under("root.ml"));
        assertEquals(0, draw.under("root.m"));
    }

    @Test
    void peakAndIdleAreWhatWasSeenAtMostAndAtLeast() {
        meter.seen("n1", node(400, gpu(0, 60, 400)), 0);
        meter.seen("n1", node(700, gpu(0, 340, 400, container(ADA, 2))), 10_000);
        meter.seen("n1", node(560, gpu(0, 200, 200, container(ADA, 2))), 20_000);
        ClusterDraw draw = meter.draw(20_000);
        // Beside its GPU the node drew 340 to 360 W; the cap of 200 W hides the limit of 400 W.
        assertEquals(360 + 400, draw.peakWatts());
        assertEquals(340 + 60, draw.idleWatts());
        assertEquals(560, draw.watts());
        assertEquals(400, meter.nodes(20_000).get(0).gpus().get(0).limitWatts());
    }

    /** A limit is a share of what the whole cluster could draw, whether some of it is off or not. */
    @Test
    void hostsThatAreOffCountAtTheirPeakAndDrawNothing() {
        meter.seen("n1:1", node(400, gpu(0, 60, 400)), 0);
        meter.seen("n2:1", node(500, gpu(0, 60, 400)), 0);
        assertEquals(OptionalDouble.of(440 + 400), meter.peakWatts("n2"));
        assertEquals(OptionalDouble.empty(), meter.peakWatts("n3"));
        double both = meter.draw(0).peakWatts();
        // It is being taken out: it still draws, and counts once.
        meter.asleep(Map.of("n2", 840.0), 0);
        assertEquals(both, meter.draw(0).peakWatts());
        meter.gone("n2:1");
        ClusterDraw off = meter.draw(0);
        assertEquals(both, off.peakWatts());
        assertEquals(400, off.watts());
        assertEquals(400, off.idleWatts());
        // On again, and nothing is known of it yet; then it speaks, on another port.
        meter.asleep(Map.of(), 1000);
        assertEquals(both, meter.draw(1000).peakWatts());
        meter.seen("n2:7", node(450, gpu(0, 10, 400)), 2000);
        assertEquals(both, meter.draw(2000).peakWatts());
        // Another one is given up: it counts no more after a while.
        meter.asleep(Map.of("n3", 5000.0), 3000);
        meter.asleep(Map.of(), 4000);
        assertEquals(both + 5000, meter.draw(5000).peakWatts());
        assertEquals(both, meter.draw(70_000).peakWatts());
    }

    @Test
    void aCapDoesNotHideTheLimitOfANodeThatTellsIt() {
        NodeRecord.Device capped = gpu(0, 200, 200, container(ADA, 2));
        NodeRecord.Device told = new NodeRecord.Device(
                capped.uuid(),
                0,
                capped.model(),
                capped.memoryMiB(),
                false,
                capped.health(),
                200,
                200,
                0,
                0,
                30,
                0,
                capped.containers(),
                Optional.of(new DevicePower(1410, List.of(), 200, 200, "nvml", "", 100, 400)));
        meter.seen("n1", node(560, told), 0);
        assertEquals(360 + 400, meter.draw(0).peakWatts());
    }

    @Test
    void silentNodesAreNotCountedAndSaidSo() {
        meter.seen("n1", node(400), 0);
        meter.seen("n2", node(300), 30_000);
        assertEquals(700, meter.draw(60_000).watts());
        ClusterDraw later = meter.draw(61_000);
        assertEquals(300, later.watts());
        assertEquals(List.of("n1"), later.silent());
        assertEquals(700, later.peakWatts(), "budgets that are shares of it stand");
        assertEquals(1, meter.nodes(61_000).size());
        meter.gone("n1");
        assertEquals(List.of(), meter.draw(61_000).silent());
    }

    @Test
    void ofNodeThatDoesNotSayItsGpusCount() {
        meter.seen("n1", new NodeRecord("n1", 1, List.of(gpu(0, 250, 400), gpu(1, 50, 400))), 0);
        assertEquals(300, meter.draw(0).watts());
        assertEquals("gpus", meter.nodes(0).get(0).source());
    }
}
