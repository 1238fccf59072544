/** What SMD's rules make of the same jobs beside others', and how near its choices are to the best. */
@NullMarked
package io.treadle.simulator.bench.smd;

import org.jspecify.annotations.NullMarked;
