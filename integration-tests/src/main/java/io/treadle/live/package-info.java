// SPDX-License-Identifier: Apache-2.0
/**
 * {@code treadle bench synergy --live}: on an embedded Hadoop cluster, whether jobs do what the simulator foretells of them
 * from the profiles that were recorded there, and whether those profiles are right.
 */
@NullMarked
package io.treadle.live;

import org.jspecify.annotations.NullMarked;
