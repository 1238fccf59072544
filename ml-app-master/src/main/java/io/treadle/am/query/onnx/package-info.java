// SPDX-License-Identifier: Apache-2.0
/** Models in ONNX Runtime. Nothing else knows it: it is on the class path of a service's workers alone. */
@NullMarked
package io.treadle.am.query.onnx;

import org.jspecify.annotations.NullMarked;
