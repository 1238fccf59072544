// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.wire.ProgressLine;
import io.treadle.core.wire.WireFormatException;
import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What a worker itself has written of its progress: nothing of Treadle stands between. */
public final class Progress {
    private Progress() {}

    /**
     * The file of a container's first start.
     *
     * @throws DemoException if there is none
     */
    static Path file(EmbeddedCluster cluster, String containerId) {
        List<Path> files = files(cluster, containerId);
        if (files.isEmpty()) {
            throw new DemoException("container " + containerId + " has left no progress file");
        }
        return files.get(0);
    }

    /** The files of all starts of workers in a container; none where none came to say anything. */
    public static List<Path> files(EmbeddedCluster cluster, String containerId) {
        String application = ContainerId.fromString(containerId)
                .getApplicationAttemptId()
                .getApplicationId()
                .toString();
        List<Path> found = new ArrayList<>();
        try {
            for (int i = 0; i < cluster.nodes().size(); i++) {
                for (String directory :
                        cluster.nodeManager(i).getConfig().getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS)) {
                    for (Path user : list(Path.of(directory, "usercache"), "*")) {
                        Path container =
                                user.resolve("appcache").resolve(application).resolve(containerId);
                        found.addAll(list(container, "treadle-progress-*.jsonl"));
                    }
                }
            }
        } catch (IOException e) {
            throw new DemoException("progress of container " + containerId + " cannot be read: " + e.getMessage(), e);
        }
        return found;
    }

    private static List<Path> list(Path directory, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
                files.forEach(found::add);
            }
        }
        return found.stream().sorted().toList();
    }

    /** Its whole lines so far, by time. */
    public static List<ProgressLine> lines(Path file) {
        List<ProgressLine> lines = new ArrayList<>();
        try {
            for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n")) {
                add(line, lines);
            }
        } catch (IOException e) {
            throw new DemoException("progress file " + file + " cannot be read: " + e.getMessage(), e);
        }
        return lines;
    }

    private static void add(String line, List<ProgressLine> lines) {
        try {
            lines.add(ProgressLine.fromJson(line));
        } catch (WireFormatException e) {
            // The last one may be half written.
        }
    }
}
