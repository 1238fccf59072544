// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.demo.serve.ServeJson;
import io.treadle.demo.serve.ServePage;
import io.treadle.demo.serve.ServeResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a demo's result where the user asked for it. */
final class DemoReport {
    private final Path directory;

    /** @throws DemoException if the directory cannot be made */
    DemoReport(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
        try {
            Files.createDirectories(this.directory);
        } catch (IOException e) {
            throw new DemoException(
                    "report directory " + this.directory + " cannot be made: " + e.getMessage()
                            + "\nMaybe name another with --report.",
                    e);
        }
    }

    Path directory() {
        return directory;
    }

    Path page() {
        return directory.resolve("demo.html");
    }

    Path log() {
        return directory.resolve("cluster.log");
    }

    Path servePage() {
        return directory.resolve("serve.html");
    }

    void write(ServeResult result) {
        try {
            Files.writeString(directory.resolve("serve.json"), ServeJson.write(result));
            Files.writeString(servePage(), ServePage.write(result));
        } catch (IOException e) {
            throw cannot(e);
        }
    }

    void write(DemoResult result) {
        try {
            Files.writeString(directory.resolve("demo.json"), DemoJson.write(result));
            Files.writeString(page(), DemoPage.write(result));
        } catch (IOException e) {
            throw cannot(e);
        }
    }

    private DemoException cannot(IOException e) {
        return new DemoException("report in " + directory + " cannot be written: " + e.getMessage(), e);
    }
}
