/**
 * The runner that starts a worker inside its container, watches it and reports on it. No Hadoop class: its start must
 * be cheap.
 */
@NullMarked
package io.treadle.am.runner;

import org.jspecify.annotations.NullMarked;
