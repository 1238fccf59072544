// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.hadoop.HadoopVersion;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Entry of {@code yarn jar treadle-am.jar}. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Optional<String> refusal = new HadoopVersion(VersionInfo.getVersion()).refusal();
        if (refusal.isPresent()) {
            System.err.println("treadle: " + refusal.get());
            System.exit(Cli.REFUSED);
        }
        Cli cli = new Cli(
                new YarnConfiguration(),
                Console.system(),
                TreadleClient::connect,
                ShutdownHooks.hadoop(),
                Clock.systemUTC());
        System.exit(cli.run(List.of(arguments)));
    }
}
