// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoResult;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.synergy.Markdown;
import io.treadle.simulator.bench.synergy.Section;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.report.CurvePage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes profiles, tables, the page and, last, {@code summary.json}. */
final class LiveFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;

    /** @throws DemoException if the directory cannot be made */
    LiveFiles(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
        try {
            Files.createDirectories(profiles());
        } catch (IOException e) {
            throw new DemoException(
                    "--out is '" + directory + "', must be a directory that can be made: " + e.getMessage() + ".", e);
        }
    }

    Path directory() {
        return directory;
    }

    Path log() {
        return directory.resolve("cluster.log");
    }

    private Path profiles() {
        return directory.resolve("profiles");
    }

    /** @throws DemoException if a file cannot be written */
    void write(LiveResult result) {
        try {
            for (var profile : result.profiles().entrySet()) {
                text(
                        profiles().resolve(profile.getKey() + ".json"),
                        profile.getValue().toJson() + "\n");
            }
            text(directory.resolve("jobs.csv"), jobs(result));
            text(directory.resolve("curves.csv"), curves(result));
            text(directory.resolve("bench.md"), Markdown.of(LiveSections.of(result)) + on(result) + "\n");
            text(directory.resolve("bench.html"), page(result));
            WholeFile.write(directory.resolve("summary.json"), out -> JSON.writeValue(out, compared(result)));
        } catch (IOException e) {
            throw new DemoException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static void text(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        WholeFile.write(file, out -> out.write(bytes));
    }

    static String on(LiveResult result) {
        return "On " + result.machine().inWords() + ".";
    }

    private static String page(LiveResult result) {
        CurvePage page = new CurvePage("Treadle live beside its simulator", LiveSections.NAMES);
        page.opening(String.format(
                Locale.ROOT,
                "Jobs are done %.2f times as soon under %s as under %s; the simulator foretells %.2f from the recorded"
                        + " profiles.",
                result.ratio(),
                result.ours().policy(),
                result.baseline().policy(),
                result.foretoldRatio()));
        page.text(on(result));
        result.failed().forEach(page::text);
        result.missed().forEach(page::text);
        for (Section section : LiveSections.of(result)) {
            page.table(section.id(), section.heading(), section.rows(), -1);
            page.text(section.text());
            if (!section.plots().isEmpty()) {
                page.plots(section.id() + "-plots", section.heading() + ": plots", section.plots());
            }
        }
        return page.html();
    }

    static List<Compared> compared(LiveResult result) {
        List<Compared> compared = new ArrayList<>();
        compared.add(Compared.least(
                "live fifo: mean JCT",
                result.ours().meanJctSeconds(),
                result.baseline().meanJctSeconds(),
                "s"));
        compared.add(Compared.least(
                "live fifo, foretold: mean JCT",
                result.foretoldMeanSeconds(result.ours()),
                result.foretoldMeanSeconds(result.baseline()),
                "s"));
        for (Curve curve : result.curves()) {
            compared.add(Compared.least(
                    "profile of " + curve.kind() + ": time beside every size measured",
                    curve.profileSeconds(),
                    curve.measuredSeconds(),
                    "s"));
        }
        return compared;
    }

    private static String jobs(LiveResult result) {
        StringBuilder text =
                new StringBuilder("policy,job,samples,arrivalSeconds,jctSeconds,foretoldJctSeconds,finalStatus\n");
        for (Mixed mix : result.mixes()) {
            for (DemoResult.Job job : mix.jobs()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.3f,%.3f,%.3f,%s\n",
                        mix.policy(),
                        job.name(),
                        job.samples(),
                        job.arrivalSeconds(),
                        job.jctSeconds(),
                        result.foretoldSeconds(mix, job.name()),
                        job.finalStatus()));
            }
        }
        return text.toString();
    }

    private static String curves(LiveResult result) {
        StringBuilder text =
                new StringBuilder("worker,vcores,profiledSamplesPerSecond,measuredSamplesPerSecond,measuredError\n");
        for (Curve curve : result.curves()) {
            for (Curve.Point point : curve.points()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%d,%.3f,%.3f,%.5f\n",
                        curve.kind(),
                        point.vcores(),
                        point.profiled(),
                        point.measured().samplesPerSecond(),
                        point.measured().relativeError()));
            }
        }
        return text.toString();
    }
}
