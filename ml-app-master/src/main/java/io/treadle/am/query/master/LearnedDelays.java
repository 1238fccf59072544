// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.core.query.DelayModel;
import io.treadle.core.query.Model;
import java.util.ArrayList;
import java.util.List;

/**
 * What it takes to load models, as it has been seen; the network's delays are taken to be those of 10 Gbit/s. Guarded by the
 * {@link QueryDesk}.
 */
final class LearnedDelays implements DelayModel {
    /** kB/ms, and ms of each transfer. */
    private static final double NETWORK_KB_PER_MS = 1000;

    private static final double NETWORK_LATENCY_MS = 0.2;
    /** PCIe 3.0 by 16, of which a fifth is lost, kB/ms. */
    private static final double LINK_KB_PER_MS = 12_000;

    private final List<Estimate> loadMs = new ArrayList<>();

    /** @param models in the order of their ids */
    LearnedDelays(List<ModelFacts> models) {
        models.forEach(model -> loadMs.add(new Estimate(model.loadMs())));
    }

    /** A worker has loaded a model. */
    void loaded(int model, double ms) {
        if (model >= 0 && model < loadMs.size() && ms >= 0 && Double.isFinite(ms)) {
            loadMs.get(model).measured(ms);
        }
    }

    @Override
    public double networkMs(double kb) {
        return kb / NETWORK_KB_PER_MS + NETWORK_LATENCY_MS;
    }

    @Override
    public double linkMs(double kb) {
        return kb / LINK_KB_PER_MS;
    }

    @Override
    public double fetchMs(Model model) {
        return loadMs.get(model.id()).value();
    }
}
