// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.ClientConf;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.ClassUtil;

/** Finds the jar that the ApplicationMaster starts from. */
final class AmJar {
    private AmJar() {}

    static Path find(ClientConf settings) {
        String named = settings.amJar();
        String found = named.isEmpty() ? ClassUtil.findContainingJar(AmJar.class) : named;
        if (found == null) {
            throw new ClientException("the client runs from a class folder, so there is no jar for the"
                    + " ApplicationMaster.\nMaybe set " + ClientConf.AM_JAR + " to the path of treadle-am.jar.");
        }
        Path jar = Path.of(found);
        if (!Files.isRegularFile(jar)) {
            throw new ClientException(
                    ClientConf.AM_JAR + " is '" + found + "', must be the path of treadle-am.jar on this host.");
        }
        return jar;
    }
}
