// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlacementNamesTest {
    /** As Hadoop's tests of its reservation system have it: CapacityScheduler starts there, and so does ours. */
    @Test
    void contextWithoutConfigurationIsLeftAlone() {
        @Nullable Configuration none = null;
        assertDoesNotThrow(() -> PlacementNames.replaceIn(none));
    }
}
