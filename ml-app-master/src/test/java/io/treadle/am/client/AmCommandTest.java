// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.conf.ClientConf;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class AmCommandTest {
    private static String options(boolean isService) {
        String line = AmCommand.commandLine("a.Master", isService, 512, ClientConf.from(new Configuration(false)));
        return line.substring(line.indexOf("-Xmx"), line.indexOf(" a.Master"));
    }

    @Test
    void jobsStartSoonAndServicesRunFast() {
        assertEquals(
                "-Xmx307m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -XX:TieredStopAtLevel=1"
                        + " -Dlog4j.configuration=treadle-log4j.properties <ADD_OPENS>",
                options(false));
        assertEquals(
                "-Xmx307m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Dlog4j.configuration=treadle-log4j.properties <ADD_OPENS>",
                options(true));
    }
}
