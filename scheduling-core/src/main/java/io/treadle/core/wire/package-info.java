/**
 * Versioned records that cross process borders (ZooKeeper, submission properties, control files), each with its parser.
 * Their format specs are in {@code docs/spec}. A reader ignores fields that it does not know and refuses a higher major
 * version.
 */
@NullMarked
package io.treadle.core.wire;

import org.jspecify.annotations.NullMarked;
