// SPDX-License-Identifier: Apache-2.0
/**
 * How long a training job's iterations take and what they draw, over power caps, batch sizes, GPUs and nodes, and how that is
 * found from few measurements. The forms were chosen by how well they foretell what was measured on real cards
 * (docs/adr/0016); they are no publication's.
 */
@NullMarked
package io.treadle.core.model.energy;

import org.jspecify.annotations.NullMarked;
