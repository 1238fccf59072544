// SPDX-License-Identifier: Apache-2.0
/** What the master of a service and its workers tell each other: messages in frames over TCP (docs/spec/query-wire.md). */
@NullMarked
package io.treadle.am.query.wire;

import org.jspecify.annotations.NullMarked;
