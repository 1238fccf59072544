/** A policy turns a snapshot into a plan. Policies are pure functions, found by name in the registry. */
@NullMarked
package io.treadle.core.policy;

import org.jspecify.annotations.NullMarked;
