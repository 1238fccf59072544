// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Small files on this machine. */
final class LocalFile {
    private LocalFile() {}

    /**
     * @param what must be in it, for messages
     * @throws ClientException if it cannot be read or is longer
     */
    static byte[] read(String name, int mostBytes, String what) {
        // A name may be what no path can be.
        try (InputStream in = Files.newInputStream(Path.of(name))) {
            return read(in, "'" + name + "'", mostBytes, what);
        } catch (NoSuchFileException e) {
            throw new ClientException("there is no file '" + name + "', must hold " + what, e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ClientException("'" + name + "' cannot be read: " + Causes.message(e), e);
        }
    }

    static byte[] read(InputStream in, String name, int mostBytes, String what) throws IOException {
        byte[] bytes = in.readNBytes(mostBytes + 1);
        if (bytes.length > mostBytes) {
            throw new ClientException(name + " has more than " + mostBytes + " bytes, must hold " + what);
        }
        return bytes;
    }
}
