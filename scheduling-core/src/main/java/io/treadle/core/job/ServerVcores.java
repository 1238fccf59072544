// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import java.util.OptionalLong;

/**
 * What a running job's parameter servers could do with more vcores than they ask for.
 *
 * @param each vcores that one of them can use
 * @param most vcores that all tasks of the job may hold together; empty where it names no such limit
 */
public record ServerVcores(long each, OptionalLong most) {}
