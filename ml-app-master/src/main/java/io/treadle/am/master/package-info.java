/** The ApplicationMaster: the job's state machine behind small gateways to YARN, ZooKeeper and the file system. */
@NullMarked
package io.treadle.am.master;

import org.jspecify.annotations.NullMarked;
