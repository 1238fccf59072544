// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

/**
 * One class of Hadoop's own tests.
 *
 * @param group what it tests: scheduler, preemption, reservation …
 * @param path its name below {@link #PACKAGE}
 * @param seconds that it takes once, roughly, on a machine of two cores; only the time left is told by it
 * @param meetsScheduler whether a CapacityScheduler or its preemption policy is made in it; where none is, both runs test the same
 */
record OwnTest(String group, String path, int seconds, boolean meetsScheduler) {
    static final String PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.";

    String className() {
        return PACKAGE + path;
    }

    String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
