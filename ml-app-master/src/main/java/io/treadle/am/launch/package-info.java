/** How a container of YARN is asked for and what is started in it. */
@NullMarked
package io.treadle.am.launch;

import org.jspecify.annotations.NullMarked;
