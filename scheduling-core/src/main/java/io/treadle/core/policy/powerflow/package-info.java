// SPDX-License-Identifier: Apache-2.0
/**
 * Policies that choose GPUs and power caps of training jobs together, under a limit on power and a price of energy, and those
 * that they are compared with. After what is public of PowerFlow (arXiv 2304.06381: its abstract, and the priority of its
 * allocator as a third party's port has it); its text could not be read and its authors published no code, so that all else
 * is Treadle's own.
 */
@NullMarked
package io.treadle.core.policy.powerflow;

import org.jspecify.annotations.NullMarked;
