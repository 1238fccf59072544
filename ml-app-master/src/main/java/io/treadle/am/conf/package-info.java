/** Settings of the client and the ApplicationMaster, {@code treadle.*} in Hadoop's configuration. */
@NullMarked
package io.treadle.am.conf;

import org.jspecify.annotations.NullMarked;
