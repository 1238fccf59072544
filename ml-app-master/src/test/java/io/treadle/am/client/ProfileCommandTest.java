// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileCommandTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long NOW = 1_800_000_000_000L;
    private static final long HOUR = 3_600_000;
    /** Profiles of an answer, whatever is asked for: a ResourceManager gives fewer where they are large. */
    private static final int PAGE = 100;

    private final TreeMap<String, ProfileRecord> stored = new TreeMap<>();
    private final List<String> calls = new ArrayList<>();
    private final List<ObjectNode> nodes = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final String me;

    ProfileCommandTest() throws IOException {
        me = UserGroupInformation.getCurrentUser().getShortUserName();
        put(me, profile("resnet-50", "A100", 256, 3));
        put(me, profile("resnet-50", "T4", 256, 2));
        put(me, profile("bert", "", 0, 1));
        put("ada", profile("resnet-50", "A100", 256, 9));
        put("ada", profile("vgg", "A100", 64, 1));
    }

    private static ProfileRecord profile(String model, String gpu, long batch, int jobs) {
        return new ProfileRecord(
                "application_1_0001",
                model,
                gpu,
                batch,
                ProfileRecord.Phase.READY,
                2,
                List.of(
                        new ProfileRecord.Point(1, 1024, 10, 5, 0.03, 1),
                        new ProfileRecord.Point(4, 1024, 40, 60, 0.04, 9),
                        new ProfileRecord.Point(8, 1024, 40.5, 6)),
                NOW - 5 * HOUR,
                jobs,
                Optional.empty());
    }

    private void put(String user, ProfileRecord record) {
        stored.put(ProfileText.key(user, record), record);
    }

    /** The ResourceManager. */
    private JsonNode call(String method, String path, Optional<String> body) {
        calls.add(method + " " + path);
        ObjectNode answer = MAPPER.createObjectNode();
        if (path.equals("nodes")) {
            nodes.forEach(answer.withArray("nodes")::add);
        } else if (method.equals("GET")) {
            int offset = Integer.parseInt(path.substring(path.indexOf("offset=") + "offset=".length()));
            if (stored.size() > offset + PAGE) {
                answer.put("more", true).put("next", offset + PAGE);
            }
            for (Map.Entry<String, ProfileRecord> e :
                    stored.entrySet().stream().skip(offset).limit(PAGE).toList()) {
                try {
                    ObjectNode item = (ObjectNode) MAPPER.readTree(e.getValue().toJson());
                    e.getValue().rmsError().ifPresent(error -> item.put("rmsError", error));
                    answer.withArray("profiles")
                            .add(item.put("key", e.getKey())
                                    .put("user", e.getKey().split("/", 2)[0]));
                } catch (IOException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        } else if (method.equals("DELETE")) {
            stored.remove(path.substring("profiles/".length()));
        } else {
            String key = path.substring("profiles/".length());
            answer.put("replaced", stored.put(key, ProfileRecord.fromJson("body", body.orElseThrow())) != null);
        }
        return answer;
    }

    private int run(boolean unicode, String... words) {
        out.reset();
        err.reset();
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        return new ProfileCommand(this::call, console, InstantSource.fixed(Instant.ofEpochMilli(NOW)), unicode)
                .run(Arguments.parse(ProfileCommand.GRAMMAR, List.of(words)));
    }

    private String refusal(String... words) {
        int before = stored.size();
        RuntimeException refused = assertThrows(RuntimeException.class, () -> run(false, words));
        assertTrue(refused instanceof ClientException || refused instanceof UsageException, refused::toString);
        assertEquals(before, stored.size());
        return String.valueOf(refused.getMessage());
    }

    @Test
    void listsAll() {
        assertEquals(0, run(false, "list"));
        List<String> lines = out.toString(UTF_8).lines().toList();
        assertEquals(6, lines.size());
        assertTrue(lines.get(0).matches("model +gpu +batch +points +useful +age +jobs +error +user"), lines.get(0));
        // √((0.03² + 0.04²) / 2) = 3.5 %; the third point's error is unknown.
        assertTrue(
                lines.stream().anyMatch(l -> l.matches("resnet-50 +T4 +256 +3 +4 +5 h +2 +\\+- 3.5 % +" + me)),
                lines::toString);
        assertTrue(lines.stream().anyMatch(l -> l.matches("bert +none +\\? +3 +4 .*")), lines::toString);
        run(false, "list", "--user", "ada", "--gpu", "A100", "--batch", "64");
        assertEquals(2, out.toString(UTF_8).lines().count());
        stored.clear();
        run(false, "list");
        assertEquals("no profiles\n", out.toString(UTF_8));
    }

    @Test
    void goesOnWhereAnAnswerEnds() {
        for (int i = 0; i < 245; i++) {
            put("ada", profile("m" + i, "A100", 64, 1));
        }
        run(false, "list");
        assertEquals(251, out.toString(UTF_8).lines().count());
        assertEquals(
                List.of(
                        "GET profiles?limit=1000&offset=0",
                        "GET profiles?limit=1000&offset=100",
                        "GET profiles?limit=1000&offset=200"),
                calls);
    }

    @Test
    void showListsMeasuredEnergyAndExportKeepsIt() {
        ProfileRecord metered =
                profile("bert", "", 0, 1).withEnergy(List.of(new EnergyPoint(2, 1, 0, 240, 104, 430.6, 5.2, 0.02, 1)));
        run(false, "show", "bert");
        assertFalse(out.toString(UTF_8).contains("J per sample"), "nothing was metered");
        out.reset();
        put(me, metered);
        run(false, "show", "bert");
        String text = out.toString(UTF_8);
        assertTrue(text.lines().anyMatch(l -> l.matches(" +2 +1 +\\? +240 +104 +431 +4.1 +1 x +5")), text);
        out.reset();
        run(false, "export", "bert");
        assertEquals(
                metered.energy(),
                ProfileRecord.fromJson("export", out.toString(UTF_8)).energy());
    }

    @Test
    void showListsSizesOfWorkersAndServersAndHowFarTheyCanBeReliedOn() {
        ServersModel model = new ServersModel(
                ServersModel.Mode.SYNC, ServersModel.Overlap.NONE, 64, new ServersModel.Fitted(0.001, 0.02, 0, 0, 0));
        put(
                me,
                profile("bert", "", 0, 1)
                        .withServers(Optional.of(new ProfileServers(
                                model,
                                List.of(new ProfileServers.Sample(2, 1, 0.0516, OptionalDouble.of(0.012))),
                                OptionalDouble.empty(),
                                OptionalDouble.of(0.034)))));
        run(false, "show", "bert");
        String text = out.toString(UTF_8);
        assertTrue(text.lines().anyMatch(l -> l.matches(" +2 +1 +51.6 ms +\\S+ 1.2 % +52.0 ms")), text);
        assertTrue(
                text.contains(
                        "Confidence in other sizes: medium. No size was measured beyond those that the fit needs, so none"
                                + " has tested it. The measurements' own errors make what is foretold uncertain by 3.4 % on average."),
                text);
    }

    @Test
    void showDrawsTheCurveWithTheUsefulSize() {
        put(
                me,
                profile("bert", "", 0, 1)
                        .withDataset(Optional.of(new ProfileDataset(150_000_000_000L, 10, 8000, 0, 0))));
        run(false, "show", "bert");
        String text = out.toString(UTF_8);
        assertTrue(text.contains("bert without GPUs, batch size unknown, of " + me), text);
        assertTrue(text.contains("reads 150.0 GB in 10 samples; from memory at 8,000 MB/s\n"), text);
        assertTrue(text.contains("useful: 4 vcores, o measured"), text);
        List<String> chart = text.lines().filter(l -> l.contains("|")).toList();
        assertEquals(14, chart.size(), text);
        // 8 vcores over columns 0 to 59: 4 stand at 29 or 30, where the curve has its bend and its point.
        assertTrue(chart.get(0).indexOf('o') - chart.get(0).indexOf('|') - 1 == 30, chart.get(0));
        assertTrue(chart.get(13).indexOf(':') - chart.get(13).indexOf('|') - 1 == 30, chart.get(13));
        assertEquals(
                3,
                chart.stream()
                        .mapToLong(l -> l.chars().filter(c -> c == 'o').count())
                        .sum(),
                text);
        assertTrue(text.codePoints().filter(c -> c > 0x7f).findAny().isEmpty(), text);
        run(true, "show", "bert");
        assertTrue(out.toString(UTF_8).codePoints().anyMatch(c -> c > 0x2800 && c < 0x2900), "braille");
        assertTrue(out.toString(UTF_8).contains("●"));
    }

    /** 1000 samples of 1 MiB each, which memory gives at 1000 MiB/s and the disk at 100. */
    private static ProfileRecord reading(ProfileRecord.Point... points) {
        return new ProfileRecord(
                        "application_1_0002", "unet", "", 1, ProfileRecord.Phase.READY, 1, List.of(points), NOW)
                .withDataset(Optional.of(new ProfileDataset(1000L << 20, 1000, 1048.576, 104.8576, 200)));
    }

    /** All was measured with the whole dataset in memory. */
    @Test
    void showDrawsWhatMemoryDoesWhereThatIsKnown() {
        put(
                me,
                reading(
                        new ProfileRecord.Point(1, 1200, 62.5, 10),
                        new ProfileRecord.Point(2, 1200, 125, 10),
                        new ProfileRecord.Point(4, 1200, 126, 10)));
        run(false, "show", "unet");
        String text = out.toString(UTF_8);
        // 126/s of 2 vcores take 7.94 s, in which 300 MiB come from memory and 700 from the disk (7.3 s), at 96.1 MB/s.
        assertTrue(text.contains(": useful: 2 vcores, o measured\n"), text);
        assertTrue(text.contains("   MiB of a worker with 2 vcores\n"), text);
        assertTrue(text.contains(": useful: 500 MiB, reading 97 MB/s from storage, o measured\n\n"), text);
        List<String> chart = text.lines()
                .filter(l -> l.contains("|"))
                .map(l -> l.substring(l.indexOf('|') + 1))
                .toList();
        assertEquals(28, chart.size(), text);
        // 1200 MiB over columns 0 to 59. Without a cache 100 of 126/s, row 13 · 0.206 = 2.7; row 2 from 101.8/s on,
        // which is at 218 MiB, as 300 MiB give 1000/9.1 = 109.9/s: column 10.7. Useful: column 24.6.
        assertEquals(".".repeat(11) + " ".repeat(14) + ":", chart.get(14 + 3));
        assertEquals(" ".repeat(25) + ":", chart.get(27));
        assertEquals(59, chart.get(14).indexOf('o'), "of the points that with 2 vcores");
    }

    /**
     * With nothing in memory the disk gives 100/s: from 2 vcores on that is what was measured. In proportion to 60/s at one
     * vcore 2 do 120, 4 twice what was measured, 198, and 8, as that still rises, 198 + 4 · 39 = 354. That is 2.825 s for an
     * epoch, for which 800 MiB have to be in memory; 209.7 MB are read in the 2.025 s that are left.
     */
    @Test
    void whatIsUsefulIsWhatJobsArePlannedWith() {
        put(
                me,
                reading(
                        new ProfileRecord.Point(1, 200, 60, 10),
                        new ProfileRecord.Point(2, 200, 98, 10),
                        new ProfileRecord.Point(4, 200, 99, 10)));
        run(false, "list");
        String list = out.toString(UTF_8);
        assertTrue(list.lines().anyMatch(l -> l.matches("unet +none +1 +3 +8 .*")), list);
        run(false, "show", "unet");
        String text = out.toString(UTF_8);
        assertTrue(text.contains(": useful: 8 vcores, o measured\n"), text);
        assertTrue(text.contains("MiB of a worker with 8 vcores\n"), text);
        assertTrue(text.contains(": useful: 1000 MiB, reading 104 MB/s from storage\n"), text);
    }

    /** The scheduler takes storage to be as fast as the fastest node's, which may be another. */
    @Test
    void saysForWhatStorageItIsDrawnWhereThatIsKnown() {
        ProfileRecord measured = reading(new ProfileRecord.Point(1, 1200, 62.5, 10));
        put(me, measured.withDataset(measured.dataset().map(data -> data.measuredOn(1250))));
        run(true, "show", "unet");
        String text = out.toString(UTF_8);
        assertTrue(
                text.contains(" from storage, ● measured\n  drawn for storage of 1,250 MB/s, as where it was measured;"
                        + " planned with that of the fastest node\n\n"),
                text);
    }

    @Test
    void memoryThatIsSlowerThanTheDiskIsDrawnToo() {
        put(
                me,
                reading(new ProfileRecord.Point(1, 200, 99, 10), new ProfileRecord.Point(2, 200, 99, 10))
                        .withDataset(Optional.of(new ProfileDataset(1000L << 20, 1000, 52.4288, 104.8576, 200))));
        for (boolean unicode : new boolean[] {false, true}) {
            run(unicode, "show", "unet");
            assertTrue(out.toString(UTF_8).contains(" useful: 200 MiB, reading "), out.toString(UTF_8));
        }
    }

    @Test
    void aModelOnSeveralGpusHasToBeNamedMoreClosely() {
        assertEquals(
                "there are 2 profiles of 'resnet-50':\n  resnet-50 on A100, batch size 256, of " + me
                        + "\n  resnet-50 on T4, batch size 256, of " + me
                        + "\nMaybe say which by --gpu, --batch or --user.",
                refusal("show", "resnet-50"));
        run(false, "show", "resnet-50", "--gpu", "T4");
        assertTrue(out.toString(UTF_8).contains("measured by 2 jobs"));
        run(false, "show", "resnet-50", "--user", "ada");
        assertTrue(out.toString(UTF_8).contains("measured by 9 jobs"));
        run(false, "show", "vgg");
        assertTrue(out.toString(UTF_8).contains("of ada"), "nobody else has one");
    }

    @Test
    void unknownNamesListTheKnownOnes() {
        String refused = refusal("show", "resnet50");
        assertTrue(refused.startsWith("there is no profile of 'resnet50'.\nMaybe 'resnet-50'.\nKnown:\n"), refused);
        assertTrue(refused.contains("\n  bert without GPUs, batch size unknown, of " + me), refused);
        assertTrue(refusal("forget", "resnet-50", "--gpu", "H100")
                .startsWith("there is no profile of 'resnet-50' with these options.\nKnown:"));
    }

    @Test
    void forgetSaysWhatItRemoved() {
        run(false, "forget", "bert");
        assertEquals(
                "forgot bert without GPUs, batch size unknown, of " + me + ": 3 points, measured by 1 job, 5 h old\n",
                err.toString(UTF_8));
        assertEquals("DELETE profiles/" + me + "/bert/_/0", calls.get(1));
        refusal("forget", "resnet-50");
        run(false, "forget", "resnet-50", "--all");
        assertEquals(2, err.toString(UTF_8).lines().count());
        assertEquals(2, stored.size(), "ada's are left");
    }

    @Test
    void exportAndImport(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("p.json");
        run(false, "export", "resnet-50", file.toString(), "--gpu", "A100");
        assertEquals(stored.get(me + "/resnet-50/A100/256"), ProfileRecord.fromJson("file", Files.readString(file)));
        assertEquals(
                "'" + file + "' exists already.\nMaybe another name, or '--replace'.",
                refusal("export", "bert", file.toString()));
        run(false, "export", "bert", "-");
        assertEquals(stored.get(me + "/bert/_/0"), ProfileRecord.fromJson("output", out.toString(UTF_8)));
        assertTrue(refusal("import", file.toString())
                .startsWith("there is a profile of resnet-50 on A100, batch size 256, of " + me + " already"));
        run(false, "import", file.toString(), "--replace");
        assertEquals("replaced " + me + "/resnet-50/A100/256: 3 points\n", err.toString(UTF_8));
        run(false, "import", file.toString(), "--user", "bob");
        assertEquals("imported bob/resnet-50/A100/256: 3 points\n", err.toString(UTF_8));
        try (var left = Files.list(directory)) {
            assertEquals(List.of(file), left.toList());
        }
    }

    /** Profiles are never used on another model, so the job would be measured anew and nobody would know why. */
    @Test
    void importedForGpusThatNoNodeHasItIsSaid(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("p.json");
        Files.writeString(file, "\uFEFF" + profile("m", "a100", 0, 1).toJson());
        run(false, "import", file.toString());
        assertEquals(1, err.toString(UTF_8).lines().count(), "there are no nodes yet");
        nodes.add(node("A100"));
        nodes.add(node("T4"));
        run(false, "import", file.toString(), "--replace");
        assertEquals(
                "replaced " + me + "/m/a100/0: 3 points\n"
                        + "no node has a GPU of model 'a100' now, so no job will start from it; there are A100, T4\n",
                err.toString(UTF_8));
        for (String there : List.of("A100", "A100+T4", "")) {
            Files.writeString(file, profile("m", there, 0, 1).toJson());
            run(false, "import", file.toString());
            assertEquals(1, err.toString(UTF_8).lines().count(), err.toString(UTF_8));
        }
        nodes.add((ObjectNode) MAPPER.readTree("{\"capacity\":{\"gpus\":4},\"devices\":[]}"));
        Files.writeString(file, profile("m", "H100", 0, 1).toJson());
        run(false, "import", file.toString());
        assertEquals(1, err.toString(UTF_8).lines().count(), "a node that does not tell may have some");
    }

    private static ObjectNode node(String model) throws IOException {
        return (ObjectNode) MAPPER.readTree("{\"capacity\":{\"gpus\":1},\"devices\":[{\"model\":\"" + model + "\"}]}");
    }

    @Test
    void whatCannotBeImportedIsNamedAndNothingIsSent(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("p.json");
        assertEquals("there is no file '" + file + "'", refusal("import", file.toString()));
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertEquals(
                "'" + file + "' is no text in UTF-8, must be a profile in JSON", refusal("import", file.toString()));
        Files.writeString(file, "");
        assertTrue(refusal("import", file.toString()).startsWith("'" + file + "' is empty"));
        Files.writeString(file, profile("m", "", 0, 1).toJson().replace("40.0", "NaN"));
        assertTrue(refusal("import", file.toString()).contains("no number (NaN or infinity)"));
        assertTrue(refusal("import", directory.toString()).contains("cannot be read"));
        assertEquals(List.of(), calls);
    }

    @Test
    void wrongCommandsAreNamed() {
        assertEquals("'profile' needs a command, must be one of: list, show, export, import, forget.", refusal());
        assertTrue(refusal("lst").endsWith("Maybe 'profile list'."));
        assertTrue(refusal("show").contains("needs a model's name"));
        assertTrue(refusal("show", "a", "b").contains("is given a, b"));
        assertTrue(refusal("list", "a").contains("Maybe 'profile show a'"));
        assertTrue(refusal("show", "bert", "--all").contains("--all means nothing to 'profile show', only to: forget"));
        assertTrue(refusal("show", "bert", "--batch", "big").contains("'big', must be given a whole number"));
        assertTrue(refusal("import", "f", "--gpu", "T4").contains("the file says it"));
        assertEquals(List.of(), calls);
    }

    @Test
    void localesThatDrawMoreThanAscii() {
        assertTrue(Console.drawsUnicode(Map.of("LANG", "C.UTF-8")));
        assertTrue(Console.drawsUnicode(Map.of("LANG", "de_DE.utf8")));
        assertFalse(Console.drawsUnicode(Map.of("LANG", "en_US.UTF-8", "LC_ALL", "C")));
        assertFalse(Console.drawsUnicode(Map.of()));
    }

    @Test
    void agesHaveOneUnit() {
        assertEquals("< 1 min", ProfileText.age(59_000));
        assertEquals("59 min", ProfileText.age(HOUR - 1));
        assertEquals("47 h", ProfileText.age(48 * HOUR - 1));
        assertEquals("2 d", ProfileText.age(48 * HOUR));
    }
}
