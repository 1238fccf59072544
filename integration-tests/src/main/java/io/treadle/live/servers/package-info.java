// SPDX-License-Identifier: Apache-2.0
/** {@code treadle bench smd --live}: how well a real job's speed is foretold at numbers of workers and servers it never had. */
@NullMarked
package io.treadle.live.servers;

import org.jspecify.annotations.NullMarked;
