// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.core.wire.ProfileRecord;

/**
 * What Treadle's profiling in place found of a kind of worker.
 *
 * @param name the model tag
 * @param profile as it was when profiling was done
 * @param memoryMiB that the worker had
 * @param seconds from its first progress to the end of profiling, with all waiting between
 */
record Profiled(String name, ProfileRecord profile, long memoryMiB, double seconds) {}
