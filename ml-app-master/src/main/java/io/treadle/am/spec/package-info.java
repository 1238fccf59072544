/** The job specification that a data scientist writes, its parser and its checks (spec: {@code docs/spec/job-spec.md}). */
@NullMarked
package io.treadle.am.spec;

import org.jspecify.annotations.NullMarked;
