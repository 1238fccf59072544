// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task may stay on its very GPUs only while nobody else holds them, however much room there is beside. */
class LedgerDevicesTest {
    private static final ResourceVector NODE = ResourceVector.of(2, 8, 8192);
    private static final List<DeviceShare> FIRST = List.of(new DeviceShare("g0", 1000, true));
    private static final List<DeviceShare> SECOND = List.of(new DeviceShare("g1", 1000, true));

    @Test
    void whatOthersHoldIsNotFree() {
        Ledger ledger = ledger();
        assertEquals(true, ledger.areFree(0, FIRST));
        ledger.take("other", 0, ResourceVector.of(1, 1, 1024), FIRST);
        assertEquals(false, ledger.areFree(0, FIRST));
        assertEquals(true, ledger.areFree(0, SECOND));
        ledger.giveBack("other", 0, ResourceVector.of(1, 1, 1024), FIRST);
        assertEquals(true, ledger.areFree(0, FIRST));
    }

    @Test
    void ofPartsThereIsWhatIsLeft() {
        Ledger ledger = ledger();
        ledger.take("other", 0, ResourceVector.of(0, 1, 1024), List.of(new DeviceShare("g0", 600, false)));
        assertEquals(true, ledger.areFree(0, List.of(new DeviceShare("g0", 400, false))));
        assertEquals(false, ledger.areFree(0, List.of(new DeviceShare("g0", 401, false))));
    }

    @Test
    void noDevicesAreAlwaysFree() {
        assertEquals(true, ledger().areFree(0, List.of()));
    }

    private static Ledger ledger() {
        List<DeviceView> devices =
                List.of(new DeviceView("g0", "A100", 1000, 0, true), new DeviceView("g1", "A100", 1000, 0, true));
        NodeView node = new NodeView("n", "/rack", NODE, ResourceVector.ZERO, ResourceVector.ZERO, devices, true);
        return new Ledger(
                new Snapshot(0, List.of(node), new QueueView("root.q", NODE, ResourceVector.ZERO), List.of(), false));
    }
}
