// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What {@code watched.py} has written of a job: the samples of each step that each worker of each start trained. */
final class TrainedLog {
    private static final Pattern NAME = Pattern.compile("start-(\\d+)-rank-(\\d+)-of-(\\d+)\\.jsonl");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * One worker's part of a batch.
     *
     * @param at wall-clock time when its training began, seconds since the epoch
     * @param step counted from 1 since the job's first start
     */
    record Part(double at, int step, List<Integer> samples) {}

    /**
     * The workers that trained together.
     *
     * @param number grows with each start
     * @param world workers
     * @param parts of all of them, by time
     */
    record Start(int number, int world, List<Part> parts) {
        /** One more than the checkpoint that it went on from. */
        int firstStep() {
            return parts.stream().mapToInt(Part::step).min().orElseThrow();
        }
    }

    private final Path directory;

    TrainedLog(Path directory) {
        this.directory = directory;
    }

    /** Those that have trained anything, in their order. */
    List<Start> starts() throws IOException {
        SortedMap<Integer, Start> starts = new TreeMap<>();
        for (Path file : files()) {
            Matcher name = NAME.matcher(file.getFileName().toString());
            if (!name.matches()) {
                continue;
            }
            int number = Integer.parseInt(name.group(1));
            int world = Integer.parseInt(name.group(3));
            List<Part> parts = new ArrayList<>(read(file));
            Start others = starts.get(number);
            if (others != null) {
                parts.addAll(others.parts());
            }
            parts.sort(Comparator.comparingDouble(Part::at));
            if (!parts.isEmpty()) {
                starts.put(number, new Start(number, world, parts));
            }
        }
        return List.copyOf(starts.values());
    }

    /**
     * The samples of each step that a checkpoint holds, or the end of the job: those of a start as far as the next one did
     * not have to train them again. In no order within a step.
     */
    static SortedMap<Integer, List<Integer>> committed(List<Start> starts) {
        SortedMap<Integer, List<Integer>> byStep = new TreeMap<>();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1).firstStep() : Integer.MAX_VALUE;
            for (Part part : starts.get(i).parts()) {
                if (part.step() < end) {
                    byStep.computeIfAbsent(part.step(), step -> new ArrayList<>())
                            .addAll(part.samples());
                }
            }
        }
        return byStep;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static List<Part> read(Path file) throws IOException {
        String text = Files.readString(file);
        List<Part> parts = new ArrayList<>();
        // What is being written now ends without a line break.
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            JsonNode json = MAPPER.readTree(line);
            List<Integer> samples = new ArrayList<>();
            json.path("samples").forEach(sample -> samples.add(sample.asInt()));
            parts.add(new Part(json.path("at").asDouble(), json.path("step").asInt(), samples));
        }
        return parts;
    }
}
