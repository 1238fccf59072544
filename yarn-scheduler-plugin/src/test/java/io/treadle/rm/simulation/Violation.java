// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

/** Something that must always hold does not. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String rule;

    /** @param rule which rule is broken, the same words each time; the detail names what breaks it */
    Violation(String rule, String detail) {
        super(rule + ": " + detail);
        this.rule = rule;
    }

    String rule() {
        return rule;
    }
}
