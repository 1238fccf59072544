/** What a container sees and may use: environment, control directory, CPU cgroups. */
@NullMarked
package io.treadle.nm.isolation;

import org.jspecify.annotations.NullMarked;
