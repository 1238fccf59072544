// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The runs of finished policies, kept so that the page can be written again without simulating them again. */
public final class KeptRuns {
    private final Path directory;

    /** @param directory where they lie */
    public KeptRuns(Path directory) {
        this.directory = directory;
    }

    /** @throws InputException if it cannot be written */
    public void add(String policy, RunLog log) {
        try {
            Files.createDirectories(directory);
            WholeFile.write(file(policy), bytes -> {
                try (DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(new GZIPOutputStream(bytes), 1 << 16))) {
                    log.write(out);
                }
            });
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    /**
     * Reads a policy's runs into an empty log.
     *
     * @return false where there are none, or they cannot be read
     */
    public boolean find(String policy, RunLog log) {
        if (!Files.exists(file(policy))) {
            return false;
        }
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file(policy))), 1 << 16))) {
            log.read(in);
            return true;
        } catch (IOException e) {
            // Cut short: the policy runs again.
            return false;
        }
    }

    private Path file(String policy) {
        return directory.resolve(policy + ".runs.gz");
    }
}
