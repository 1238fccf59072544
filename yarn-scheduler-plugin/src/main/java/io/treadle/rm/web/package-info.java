/** The page in the ResourceManager's frame and the REST resource behind it. */
@NullMarked
package io.treadle.rm.web;

import org.jspecify.annotations.NullMarked;
