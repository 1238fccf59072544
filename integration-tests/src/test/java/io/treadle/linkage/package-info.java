// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.treadle.linkage;

import org.jspecify.annotations.NullMarked;
