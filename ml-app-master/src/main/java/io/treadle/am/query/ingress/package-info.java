// SPDX-License-Identifier: Apache-2.0
/** Queries over HTTP, by the Open Inference Protocol (docs/spec/query-http.md). */
@NullMarked
package io.treadle.am.query.ingress;

import org.jspecify.annotations.NullMarked;
