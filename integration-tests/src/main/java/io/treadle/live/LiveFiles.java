// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.demo.DemoException;
import io.treadle.simulator.bench.synergy.Markdown;
import io.treadle.simulator.bench.synergy.Section;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.report.CurvePage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes profiles, tables, the page and, last, {@code summary.json}. */
public final class LiveFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;

    /** @throws DemoException if the directory cannot be made */
    public LiveFiles(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
        try {
            Files.createDirectories(profiles());
        } catch (IOException e) {
            throw new DemoException(
                    "--out is '" + directory + "', must be a directory that can be made: " + e.getMessage() + ".", e);
        }
    }

    Path log() {
        return directory.resolve("cluster.log");
    }

    private Path profiles() {
        return directory.resolve("profiles");
    }

    /** @throws DemoException if a file cannot be written */
    public void write(Shown shown) {
        try {
            for (var profile : shown.profiles().entrySet()) {
                text(
                        profiles().resolve(profile.getKey() + ".json"),
                        profile.getValue().toJson() + "\n");
            }
            for (var table : shown.tables().entrySet()) {
                text(directory.resolve(table.getKey()), table.getValue());
            }
            text(directory.resolve("bench.md"), Markdown.of(shown.sections()) + shown.on() + "\n");
            text(directory.resolve("bench.html"), page(shown));
            WholeFile.write(directory.resolve("summary.json"), out -> JSON.writeValue(out, shown.compared()));
        } catch (IOException e) {
            throw new DemoException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static void text(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        WholeFile.write(file, out -> out.write(bytes));
    }

    private static String page(Shown shown) {
        CurvePage page = new CurvePage(shown.title(), shown.curves());
        page.opening(shown.opening());
        page.text(shown.on());
        shown.failed().forEach(page::text);
        shown.missed().forEach(page::text);
        for (Section section : shown.sections()) {
            page.table(section.id(), section.heading(), section.rows(), -1);
            page.text(section.text());
            if (!section.plots().isEmpty()) {
                page.plots(section.id() + "-plots", section.heading() + ": plots", section.plots());
            }
        }
        return page.html();
    }
}
