// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.List;

/** Whole percents of what a parent is sure to get, of each queue below it in the order of the cluster's file. */
record Split(List<Integer> percents) {
    Split {
        percents = List.copyOf(percents);
    }
}
