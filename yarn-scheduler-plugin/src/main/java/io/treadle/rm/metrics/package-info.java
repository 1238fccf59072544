/** Counters and gauges for JMX and Prometheus. */
@NullMarked
package io.treadle.rm.metrics;

import org.jspecify.annotations.NullMarked;
