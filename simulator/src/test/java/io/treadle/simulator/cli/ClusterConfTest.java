// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterConfTest {
    private final Path directory;

    ClusterConfTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private void site(String... addresses) throws IOException {
        StringBuilder xml = new StringBuilder("<configuration>\n");
        for (int i = 0; i < addresses.length; i++) {
            String name = "yarn.resourcemanager.address" + (addresses.length > 1 ? ".rm" + i : "");
            xml.append("<property><name>")
                    .append(name)
                    .append("</name>\n<value>")
                    .append(addresses[i]);
            xml.append("</value></property>\n");
        }
        Files.writeString(directory.resolve("yarn-site.xml"), xml.append("</configuration>\n"));
    }

    private String refused() {
        return String.valueOf(assertThrows(InputException.class, () -> ClusterConf.check(directory.toString()))
                .getMessage());
    }

    @Test
    void oneThatAnswersIsEnough() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            site("localhost:1", "localhost:" + server.getLocalPort());
            ClusterConf.check(directory.toString());
        }
    }

    @Test
    void silenceIsSaid() throws IOException {
        int port;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = server.getLocalPort();
        }
        site("localhost:" + port);
        assertTrue(refused().startsWith("no ResourceManager answers at localhost:" + port + ", which "), this::refused);
    }

    @Test
    void settingsMustBeThere() {
        assertTrue(refused().contains("must be a directory with a yarn-site.xml"), this::refused);
        assertEquals(
                "--yarn needs HADOOP_CONF_DIR: the directory of the cluster's yarn-site.xml.",
                String.valueOf(assertThrows(InputException.class, () -> ClusterConf.check(null))
                                .getMessage())
                        .lines()
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void addressesThatOtherSettingsMakeUpAreLeftToHadoop() throws IOException {
        site("${yarn.resourcemanager.hostname}:8032");
        ClusterConf.check(directory.toString());
    }
}
