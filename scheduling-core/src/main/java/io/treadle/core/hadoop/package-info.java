// SPDX-License-Identifier: Apache-2.0
/** What Hadoop a process runs with. */
@NullMarked
package io.treadle.core.hadoop;

import org.jspecify.annotations.NullMarked;
