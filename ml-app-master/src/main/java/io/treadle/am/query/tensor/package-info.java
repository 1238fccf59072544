// SPDX-License-Identifier: Apache-2.0
/** Arrays of numbers that go into models and come out of them, in memory, as JSON and as bytes. */
@NullMarked
package io.treadle.am.query.tensor;

import org.jspecify.annotations.NullMarked;
