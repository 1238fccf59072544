// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmConfTest {
    @Test
    void defaults() {
        AmConf conf = AmConf.from(new Configuration(false));
        assertEquals(500, conf.heartbeatMs());
        assertEquals(1800, conf.amTimeoutSeconds());
        // YARN looks every third of it, and the next ApplicationMaster has to start.
        assertTrue(3000L * conf.amTimeoutSeconds() > 4L * YarnConfiguration.DEFAULT_RM_AM_EXPIRY_INTERVAL_MS + 60_000);
        assertTrue(3000L * conf.amTimeoutSeconds() > 4L * YarnConfiguration.DEFAULT_RM_NM_EXPIRY_INTERVAL_MS + 60_000);
        assertEquals(10, conf.stopGraceSeconds());
        assertEquals(180, conf.registerSeconds());
        assertEquals(120, conf.silenceSeconds());
        assertEquals(3, conf.gatherSeconds());
        assertEquals(30, conf.commandSeconds());
        assertEquals(2, conf.stepMinSeconds());
        assertEquals(30, conf.stepMaxSeconds());
        assertEquals(600, conf.profileMaxSeconds());
        assertEquals(2, conf.settleSeconds());
        assertEquals(5, conf.grantSeconds());
        assertEquals(0.02, conf.noise());
        assertEquals(0.15, conf.drift());
        assertEquals(1800, conf.driftIntervalSeconds());
        assertFalse(conf.measuresEnergy());
        assertEquals(5, conf.energySeconds());
        assertEquals(300, conf.energyMaxSeconds());
    }

    @Test
    void explicitProperties() {
        Configuration hadoop = new Configuration(false);
        hadoop.set("treadle.am.heartbeat-ms", "250");
        hadoop.set("treadle.am-timeout-seconds", "60");
        hadoop.set("treadle.worker.stop-grace-seconds", "20");
        hadoop.set("treadle.runner.register-seconds", "90");
        hadoop.set("treadle.runner.silence-seconds", "45");
        hadoop.set("treadle.elastic.gather-seconds", "7");
        hadoop.set("treadle.worker.command-seconds", "15");
        hadoop.set("treadle.profile.step-min-seconds", "0.5");
        hadoop.set("treadle.profile.step-max-seconds", "4");
        hadoop.set("treadle.profile.max-seconds", "100");
        hadoop.set("treadle.profile.settle-seconds", "0.25");
        hadoop.set("treadle.profile.grant-seconds", "1");
        hadoop.set("treadle.profile.noise", "0.1");
        hadoop.set("treadle.profile.drift", "0.3");
        hadoop.set("treadle.profile.drift-interval-seconds", "60");
        hadoop.set("treadle.profile.energy.enabled", "true");
        hadoop.set("treadle.profile.energy.seconds", "2.5");
        hadoop.set("treadle.profile.energy.max-seconds", "240");
        AmConf conf = AmConf.from(hadoop);
        assertEquals(250, conf.heartbeatMs());
        assertEquals(60, conf.amTimeoutSeconds());
        assertEquals(20, conf.stopGraceSeconds());
        assertEquals(90, conf.registerSeconds());
        assertEquals(45, conf.silenceSeconds());
        assertEquals(7, conf.gatherSeconds());
        assertEquals(15, conf.commandSeconds());
        assertEquals(0.5, conf.stepMinSeconds());
        assertEquals(4, conf.stepMaxSeconds());
        assertEquals(100, conf.profileMaxSeconds());
        assertEquals(0.25, conf.settleSeconds());
        assertEquals(1, conf.grantSeconds());
        assertEquals(0.1, conf.noise());
        assertEquals(0.3, conf.drift());
        assertEquals(60, conf.driftIntervalSeconds());
        assertTrue(conf.measuresEnergy());
        assertEquals(2.5, conf.energySeconds());
        assertEquals(240, conf.energyMaxSeconds());
    }

    @Test
    void whatIsNeitherTrueNorFalseIsNamed() {
        Configuration hadoop = new Configuration(false);
        hadoop.set("treadle.profile.energy.enabled", "yes");
        assertEquals(
                "treadle.profile.energy.enabled is 'yes', must be true or false",
                assertThrows(IllegalArgumentException.class, () -> AmConf.from(hadoop))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "treadle.am.heartbeat-ms, soon, 50, 60000",
        "treadle.am.heartbeat-ms, 10, 50, 60000",
        "treadle.profile.step-max-seconds, 1, 2, 100000",
        "treadle.profile.noise, 2, 0, 1",
        "treadle.runner.silence-seconds, NaN, 1, 1000000"
    })
    void whatCannotBeUsedIsNamedWithItsRange(String key, String value, String least, String most) {
        Configuration hadoop = new Configuration(false);
        hadoop.set(key, value);
        assertEquals(
                key + " is '" + value + "', must be a number from " + least + " to " + most,
                assertThrows(IllegalArgumentException.class, () -> AmConf.from(hadoop))
                        .getMessage());
    }
}
