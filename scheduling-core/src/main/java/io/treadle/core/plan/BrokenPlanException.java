// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import java.util.List;

/** A policy has made a plan that {@link PlanVerifier} finds at fault. */
public final class BrokenPlanException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param problems the rules that it breaks, at least one */
    public BrokenPlanException(String policy, List<String> problems) {
        super("policy '" + policy + "' has made a plan that breaks " + problems.size()
                + (problems.size() == 1 ? " rule: " : " rules, the first: ") + problems.get(0));
    }
}
