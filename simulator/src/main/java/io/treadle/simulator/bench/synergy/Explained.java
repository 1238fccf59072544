// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

/** What the tables are of, in words. */
final class Explained {
    private Explained() {}

    static String of(SynergyResult result) {
        return "128 GPUs on 16 servers of 24 CPUs and 500 GB; jobs of Synergy's generator, seed " + result.seed()
                + "; measured are as many as its experiments measure. 'Synergy's rounds' is its published rule in its own"
                + " simulator, as --compat synergy has it, with synergy-balanced in the same rounds, which chooses places itself, and for the bound its OPT on one server with everything; 'ours' is the same jobs where Treadle decides at each arrival and"
                + " end, with --preemption on for orders other than fifo. " + result.checked() + " On "
                + result.machine().inWords() + ".";
    }
}
