// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.conf.AmConf;
import io.treadle.am.profile.ProfileSettings;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class MasterSettingsTest {
    private static MasterSettings settings(int gpus) {
        // Groups of the fake ask for 4 vcores.
        return MasterSettings.of(
                AmConf.from(new Configuration(false)),
                FakeCluster.job(
                        List.of(FakeCluster.group("server", 1, 1, 0), FakeCluster.group("worker", 2, 2, gpus)),
                        1,
                        true),
                64,
                true);
    }

    private static ProfileSettings profile(int gpus) {
        return settings(gpus).profile();
    }

    @Test
    void batchesOfAsManyGpusAsTheJobMayHaveAreMeasured() {
        assertEquals(8, settings(4).energy().mostGpus());
        assertEquals(300, settings(4).energy().maxSeconds());
    }

    @Test
    void aWorkerIsNeverGivenLessThanItsJobAsksFor() {
        assertEquals(4, profile(1).minVcores());
        assertEquals(64, profile(1).maxVcores());
    }

    @Test
    void onlyJobsWithGpusAreStepped() {
        assertTrue(profile(1).enabled());
        assertFalse(profile(0).enabled());
    }
}
