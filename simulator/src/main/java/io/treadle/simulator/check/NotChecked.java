// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

/** Stands for a rule that does not hold in runs of this kind. */
record NotChecked(String words) implements Check {}
