// SPDX-License-Identifier: Apache-2.0
/** {@code treadle bench compass --live}: a service of queries beside the simulator, and how many empty tasks it runs. */
@NullMarked
package io.treadle.live.queries;

import org.jspecify.annotations.NullMarked;
