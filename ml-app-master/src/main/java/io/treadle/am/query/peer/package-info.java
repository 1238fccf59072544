// SPDX-License-Identifier: Apache-2.0
/** Workers that take queries themselves: each has an ingress and a desk of its own over all workers. */
@NullMarked
package io.treadle.am.query.peer;

import org.jspecify.annotations.NullMarked;
