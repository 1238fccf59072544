// SPDX-License-Identifier: Apache-2.0
/** What the scheduler costs a ResourceManager, beside CapacityScheduler as Hadoop ships it. */
@NullMarked
package io.treadle.allocation;

import org.jspecify.annotations.NullMarked;
