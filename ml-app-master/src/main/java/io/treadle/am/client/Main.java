// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.time.Clock;
import java.util.List;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Entry of {@code yarn jar treadle-am.jar}. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Cli cli = new Cli(
                new YarnConfiguration(),
                Console.system(),
                TreadleClient::connect,
                ShutdownHooks.hadoop(),
                Clock.systemUTC());
        System.exit(cli.run(List.of(arguments)));
    }
}
