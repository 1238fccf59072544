// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the secret that ResourceManager and nodes share in ZooKeeper: a file with one line. */
final class ZkDigest {
    private static final Logger LOG = LoggerFactory.getLogger(ZkDigest.class);

    /** ResourceManager and nodes are one user to ZooKeeper. */
    private static final String USER = "treadle";

    private ZkDigest() {}

    /**
     * The authentication for ZooKeeper's scheme {@code digest}.
     *
     * @throws SettingException if the file cannot be read or holds no such line; the secret is never in a message
     */
    static String read(Path file) {
        String text;
        try {
            text = Files.readString(file).strip();
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                LOG.warn("{} can be read by every user of this machine.\nMaybe chmod 0400 {}", file, file);
            }
        } catch (IOException e) {
            throw new SettingException(
                    NodeConf.ZK_DIGEST_FILE, file.toString(), "a file that the NodeManager's user can read");
        }
        if (!text.matches("\\S+")) {
            throw new SettingException(
                    NodeConf.ZK_DIGEST_FILE, file.toString(), "a file with the secret on one line, without spaces");
        }
        return USER + ":" + text;
    }
}
