/** An immutable picture of nodes, devices and one queue, and of the jobs in it: all that a policy may know. */
@NullMarked
package io.treadle.core.cluster;

import org.jspecify.annotations.NullMarked;
