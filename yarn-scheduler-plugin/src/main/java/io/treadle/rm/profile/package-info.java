/** What ApplicationMasters and nodes say through ZooKeeper. */
@NullMarked
package io.treadle.rm.profile;

import org.jspecify.annotations.NullMarked;
