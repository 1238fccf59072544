// SPDX-License-Identifier: Apache-2.0
/** What the master of a service does: plans queries, has workers run their tasks, and answers. */
@NullMarked
package io.treadle.am.query.master;

import org.jspecify.annotations.NullMarked;
