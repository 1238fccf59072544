// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HadoopVersionTest {
    @ParameterizedTest
    @ValueSource(strings = {"3.4.0", "3.4.3", "3.4.3-SNAPSHOT", "3.4.1.7.3.1.0-197", "3.5.0", "3.5"})
    void worksWithTheLinesThatWereTested(String version) {
        assertEquals(Optional.empty(), new HadoopVersion(version).refusal());
        assertEquals(Optional.empty(), new HadoopVersion(version).warning());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.10.2", "3.2.4", "3.3.6", "3.1.1.7.1.9.0-387", "0.23"})
    void refusesWhatIsOlder(String version) {
        String refusal = new HadoopVersion(version).refusal().orElseThrow();
        assertTrue(refusal.startsWith("this is Hadoop " + version + ", Treadle needs Hadoop 3.4 or newer"), refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.6.0", "3.10.0", "4.0.0-alpha1", "Unknown", "", "trunk", "3", "99999999999.1"})
    void warnsOfWhatItDoesNotKnow(String version) {
        HadoopVersion unknown = new HadoopVersion(version);
        assertEquals(Optional.empty(), unknown.refusal());
        String warning = unknown.warning().orElseThrow();
        assertTrue(warning.contains("'" + version + "'") && warning.contains("3.4.3, 3.5.0"), warning);
    }
}
