@NullMarked
package io.treadle.rm;

import org.jspecify.annotations.NullMarked;
