// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.placement.Placement;
import io.treadle.core.policy.Policy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The policies of workers and parameter servers by name. */
public final class SmdPolicies {
    private SmdPolicies() {}

    /** Each made with the placement that its queue is set to. */
    public static Map<String, Function<Placement, Policy>> all() {
        return all(SmdRules.DEFAULT);
    }

    public static Map<String, Function<Placement, Policy>> all(SmdRules rules) {
        Map<String, Function<Placement, Policy>> all = new LinkedHashMap<>();
        all.put("smd", placement -> policy("smd", SmdChooser.trimmed(rules), placement, rules));
        all.put("smd-plain", placement -> policy("smd-plain", SmdChooser.plain(rules), placement, rules));
        all.put("smd-menu", placement -> policy("smd-menu", new MenuChooser(rules, Profit.AN_HOUR), placement, rules));
        all.put(
                "smd-menu-worth",
                placement -> policy("smd-menu-worth", new MenuChooser(rules, Profit.WORTH), placement, rules));
        all.put("optimus", placement -> policy("optimus", new Optimus(), placement, rules));
        all.put("esw", placement -> policy("esw", new Esw(), placement, rules));
        all.put("exact", placement -> policy("exact", SmdChooser.exact(rules), placement, rules));
        return all;
    }

    private static Policy policy(String name, Chooser chooser, Placement placement, SmdRules rules) {
        return new SmdPolicy(name, chooser, placement, rules.intervalMs());
    }
}
