/** What jobs held and did, for the pages: kept in memory, bounded, and gone at a restart. */
@NullMarked
package io.treadle.rm.history;

import org.jspecify.annotations.NullMarked;
