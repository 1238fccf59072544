/**
 * {@code treadle demo}: a mix of training jobs on an embedded cluster, under a Treadle policy and under GPU-proportional
 * sharing, with a live table and a report.
 */
@NullMarked
package io.treadle.demo;

import org.jspecify.annotations.NullMarked;
