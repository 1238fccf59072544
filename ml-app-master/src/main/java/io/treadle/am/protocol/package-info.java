/**
 * What the ApplicationMaster and the runner in each container say to each other (spec: {@code
 * docs/spec/am-runner-http.md}). No Hadoop class.
 */
@NullMarked
package io.treadle.am.protocol;

import org.jspecify.annotations.NullMarked;
