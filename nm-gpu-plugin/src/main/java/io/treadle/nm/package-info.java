/** The NodeManager plugin: hands GPUs to containers, tells workers their sizes, and reports the devices. */
@NullMarked
package io.treadle.nm;

import org.jspecify.annotations.NullMarked;
