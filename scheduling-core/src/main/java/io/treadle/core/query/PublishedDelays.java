// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/**
 * The delays of the simulator that Compass' authors published (aliciayuting/NavigatorSimulator, 2023): PCIe 3 with 16 lanes
 * and RDMA over 100 Gbit/s, of which small messages get less.
 */
public final class PublishedDelays implements DelayModel {
    private static final double LATENCY_MS = 0.002;
    private static final double LINK_KB_PER_MS = 9.7 * 1048.58;
    private static final double NETWORK_KB_PER_MS = 12 * 1048.58;

    @Override
    public double networkMs(double kb) {
        if (kb < 1) {
            return LATENCY_MS;
        }
        return kb < 4 ? kb / ((3 + 2 * kb) * 1048.576) + LATENCY_MS : kb / NETWORK_KB_PER_MS + LATENCY_MS;
    }

    @Override
    public double linkMs(double kb) {
        return kb / LINK_KB_PER_MS;
    }
}
