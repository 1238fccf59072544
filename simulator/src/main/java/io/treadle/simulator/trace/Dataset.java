// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

/**
 * What all tasks of a job together read, over and over.
 *
 * @param mib its size, MiB
 * @param epochs how often the job reads all of it in its run time
 * @param workingMiB memory that a task needs beside its cache, MiB
 * @param cacheable the part of it that may be kept in memory, 0 to 1
 */
record Dataset(double mib, double epochs, long workingMiB, double cacheable) {}
