// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.core.query.DelayModel;
import io.treadle.core.query.Model;
import java.util.Map;

/**
 * A service's delays as they have been measured. Its outputs are a number each: what they take does not depend on their size.
 *
 * @param loads by models' names
 */
record MeasuredDelays(Map<String, ServiceProfile.Loads> loads, double handOverMs) implements DelayModel {
    MeasuredDelays {
        loads = Map.copyOf(loads);
    }

    /** Of a query's input: its way to a worker is in what every query takes beside its tasks. */
    @Override
    public double networkMs(double kb) {
        return 0;
    }

    @Override
    public double linkMs(double kb) {
        double kbOfAll =
                loads.values().stream().mapToDouble(ServiceProfile.Loads::kb).sum();
        double msOfAll = loads.values().stream()
                .mapToDouble(ServiceProfile.Loads::meanMs)
                .sum();
        return kb * msOfAll / kbOfAll;
    }

    @Override
    public double fetchMs(Model model) {
        ServiceProfile.Loads known = loads.get(model.name());
        return known == null ? linkMs(model.kb()) : known.meanMs();
    }

    @Override
    public double transferMs(double kb) {
        return handOverMs;
    }
}
