// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.placement.Placement;
import io.treadle.core.policy.Policy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The policies of GPUs and power by name. */
public final class PowerPolicies {
    /** What energy counts for where nobody says. */
    public static final double ZEUS_WEIGHT = 0.5;

    private PowerPolicies() {}

    /** Each made with the placement that its queue is set to. */
    public static Map<String, Function<Placement, Policy>> all() {
        Map<String, Function<Placement, Policy>> all = new LinkedHashMap<>();
        all.put("powerflow", placement -> new PowerPolicy("powerflow", new PricedGrowth(), placement));
        all.put(
                "powerflow-relative",
                placement -> new PowerPolicy("powerflow-relative", new RelativeGrowth(), placement));
        rules().forEach((name, rule) -> all.put(name, placement -> new PowerPolicy(name, rule, placement)));
        all.put("fifo+zeus", placement -> zeus("fifo", ZEUS_WEIGHT, placement));
        rules().keySet().forEach(name -> all.put(name + "+zeus", placement -> zeus(name, ZEUS_WEIGHT, placement)));
        return all;
    }

    /**
     * A rule that chooses GPUs, with the caps that Zeus chooses for each job.
     *
     * @param rule {@code fifo}, {@code tiresias}, {@code gandiva}, {@code pollux}, {@code afs} or {@code elastic}
     * @param weight what energy counts for, from 0 to 1
     * @throws IllegalArgumentException where there is no such rule, or weight
     */
    public static Policy zeus(String rule, double weight, Placement placement) {
        Chooser gpus = rule.equals("fifo") ? FixedGangs.fifo() : rules().get(rule);
        if (gpus == null) {
            throw new IllegalArgumentException("unknown rule '" + rule + "' under Zeus, must be one of fifo, "
                    + String.join(", ", rules().keySet()));
        }
        return new PowerPolicy(rule + "+zeus", new Zeus(gpus, weight), placement);
    }

    /** {@code fifo} alone is an order. */
    private static Map<String, Chooser> rules() {
        Map<String, Chooser> rules = new LinkedHashMap<>();
        rules.put("tiresias", FixedGangs.tiresias());
        rules.put("gandiva", FixedGangs.gandiva());
        rules.put("pollux", new Pollux());
        rules.put("afs", new Afs());
        rules.put("elastic", new Afs());
        return rules;
    }
}
