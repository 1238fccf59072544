// SPDX-License-Identifier: Apache-2.0
/** What runs in the worker containers of a service: a queue of tasks, and models in a bounded memory that run them. */
@NullMarked
package io.treadle.am.query.worker;

import org.jspecify.annotations.NullMarked;
