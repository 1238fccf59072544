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

/** Reads the secret that ResourceManager and nodes share in ZooKeeper: one line, {@code user:secret}. */
final class ZkDigest {
    private static final Logger LOG = LoggerFactory.getLogger(ZkDigest.class);

    private ZkDigest() {}

    /** @throws SettingException if the file cannot be read or holds no such line; the secret is never in a message */
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
        if (!text.matches("[^:\\s]+:\\S+")) {
            throw new SettingException(
                    NodeConf.ZK_DIGEST_FILE, file.toString(), "a file with one line <user>:<secret> without spaces");
        }
        return text;
    }
}
