/** A whole YARN cluster with ZooKeeper in this JVM, for the demo and for tests. */
@NullMarked
package io.treadle.cluster;

import org.jspecify.annotations.NullMarked;
