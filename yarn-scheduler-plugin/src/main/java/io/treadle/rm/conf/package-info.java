/** Cluster settings and queue settings, each checked where it is read. */
@NullMarked
package io.treadle.rm.conf;

import org.jspecify.annotations.NullMarked;
