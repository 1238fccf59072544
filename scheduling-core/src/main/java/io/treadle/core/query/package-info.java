// SPDX-License-Identifier: Apache-2.0
/**
 * Queries of several steps, each with models that must be in the GPU memory of the worker that runs it: which worker runs
 * which step, and which models a worker keeps, fetches ahead and drops. Compass (Yang et al., "Navigator: A Decentralized
 * Scheduler for Latency-Sensitive AI Workflows", IEEE EDGE 2024; arXiv 2402.17652), as its public code has it, with the
 * rules that it is compared to. Times are in milliseconds, sizes in kB of 1,000 bytes.
 */
@NullMarked
package io.treadle.core.query;

import org.jspecify.annotations.NullMarked;
