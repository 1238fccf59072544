// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tells whether results were made of the same. */
public final class Fingerprint {
    private Fingerprint() {}

    /**
     * @param files whose bytes decide the results
     * @param options in words, all that decides the results beside the files
     * @throws InputException if a file cannot be read
     */
    public static String of(List<Path> files, String options) {
        Hasher hasher = Hashing.sha256().newHasher().putString(options, StandardCharsets.UTF_8);
        for (Path file : files) {
            try {
                hasher.putBytes(Files.readAllBytes(file));
            } catch (IOException e) {
                throw new InputException(file + " cannot be read: " + e.getMessage() + ".", e);
            }
        }
        return hasher.hash().toString();
    }
}
