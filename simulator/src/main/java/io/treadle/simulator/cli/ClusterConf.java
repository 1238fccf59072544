// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A cluster's settings, as {@code HADOOP_CONF_DIR} names them, as far as it must be there at all. */
final class ClusterConf {
    private static final String SITE = "yarn-site.xml";
    private static final int PATIENCE_MS = 5_000;
    /** One ResourceManager, or several of which one serves; addresses that other settings make up are not looked at. */
    private static final Pattern ADDRESS =
            Pattern.compile("<name>\\s*yarn\\.resourcemanager\\.address(?:\\.[^<\\s]+)?\\s*</name>\\s*"
                    + "<value>\\s*([^<:$\\s]+):([0-9]{1,5})\\s*</value>");

    private ClusterConf() {}

    /**
     * Hadoop's own client would try for a quarter of an hour.
     *
     * @param directory what {@code HADOOP_CONF_DIR} holds
     * @throws InputException if there are no settings, or no ResourceManager that they name answers
     */
    static void check(@Nullable String directory) {
        if (directory == null || directory.isBlank()) {
            throw new InputException("--yarn needs HADOOP_CONF_DIR: the directory of the cluster's " + SITE
                    + ".\nMaybe export it as on the cluster's gateway, or as 'treadle demo --keep' prints it.");
        }
        Path site = Path.of(directory, SITE);
        if (!Files.isRegularFile(site)) {
            throw new InputException(
                    "HADOOP_CONF_DIR is '" + directory + "', must be a directory with a " + SITE + ".");
        }
        List<String> silent = new ArrayList<>();
        Matcher address = ADDRESS.matcher(read(site));
        while (address.find()) {
            int port = Integer.parseInt(address.group(2));
            if (port <= 65_535 && answers(new InetSocketAddress(address.group(1), port))) {
                return;
            }
            silent.add(address.group(1) + ":" + port);
        }
        if (!silent.isEmpty()) {
            throw new InputException("no ResourceManager answers at " + String.join(", ", silent) + ", which " + site
                    + " names.\nMaybe it is down, or these are the settings of another cluster.");
        }
    }

    private static String read(Path site) {
        try {
            return Files.readString(site);
        } catch (IOException e) {
            throw new InputException(site + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static boolean answers(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, PATIENCE_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
