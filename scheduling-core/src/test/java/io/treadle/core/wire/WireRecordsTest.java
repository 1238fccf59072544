// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireRecordsTest {
    private static final ProfileRecord PROFILE = new ProfileRecord(
            "application_1_0001",
            "resnet",
            "A100",
            32,
            ProfileRecord.Phase.READY,
            2,
            List.of(new ProfileRecord.Point(1, 0, 10.5, 5, 0.03, 4), new ProfileRecord.Point(4, 0, 40, 6)),
            7,
            3,
            Optional.of(new ProfileDataset(150_000_000_000L, 1_281_167, 8000.5, 250, 900, 812)),
            List.of(
                    new EnergyPoint(1, 1, 32, 160, 9.5, 150.5, 5, 0.02, 1),
                    new EnergyPoint(2, 1, 64, 400, 20, 700, 9, 0, 3),
                    new EnergyPoint(2, 1, 32, 2, 400, 19, 690, 9, 0.01, 1)));
    private static final EnergyFile ENERGY = new EnergyFile(1_767_225_600_123L, 12_345_678, 2, 250.5, 100, 400);
    private static final NodeRecord NODE = new NodeRecord(
            "h:1",
            5,
            List.of(new NodeRecord.Device(
                    "GPU-1", 0, "T4", 15360, true, NodeRecord.Health.LOST, 1.5, 70, 12, 100, 40, 9, List.of("c1"))));
    private static final ResourcesFile RESOURCES = new ResourcesFile(
            3,
            4,
            List.of(0, 1),
            8192,
            0,
            250,
            200,
            List.of(new ResourcesFile.Device("GPU-1", 81920, ResourcesFile.DeviceState.PENDING)));
    private static final GangSpec GANG = new GangSpec(
            List.of(
                    new GangSpec.Group("worker", 2, 4, new ResourceVector(1, 3, 1024, 0, 5, 250), List.of("A100")),
                    new GangSpec.Group("ps", 1, 1, ResourceVector.of(0, 2, 512), List.of())),
            "tag",
            1000,
            true,
            60,
            "user:hash");

    @Test
    void recordsComeBackAsTheyWent() {
        assertEquals(PROFILE, ProfileRecord.fromJson("profile", PROFILE.toJson()));
        assertEquals(NODE, NodeRecord.fromJson("node", NODE.toJson()));
        assertEquals(RESOURCES, ResourcesFile.fromJson(RESOURCES.toJson()));
        assertEquals(ENERGY, EnergyFile.fromJson(ENERGY.toJson()));
        assertEquals(GANG, GangSpec.fromProperties(GANG.toProperties()));
        WorkerCommand command = new WorkerCommand(3, WorkerCommand.Command.CHECKPOINT, 99);
        assertEquals(command, WorkerCommand.fromJson(command.toJson()));
        assertEquals("{\"epoch\":3,\"command\":\"checkpoint\",\"deadlineMs\":99}", command.toJson());
        WorkerCommand batch = new WorkerCommand(4, WorkerCommand.Command.BATCH, 99, 64);
        assertEquals(batch, WorkerCommand.fromJson(batch.toJson()));
        assertEquals("{\"epoch\":4,\"command\":\"batch\",\"deadlineMs\":99,\"batchSize\":64}", batch.toJson());
    }

    @Test
    void submissionClaimsNoMoreThanASchedulerCanBear() {
        GangSpec.Group huge = new GangSpec.Group("huge", 9_999, 1_000_000, ResourceVector.of(0, 1, 1), List.of());
        GangSpec.Group two = new GangSpec.Group("two", 2, 2, ResourceVector.of(0, 1, 1), List.of());
        WireFormatException tasks =
                assertThrows(WireFormatException.class, () -> new GangSpec(List.of(huge, two), "", 0, false, 0, ""));
        assertEquals(
                "treadle.gang: 10001 tasks must start together (the sum of 'min' over all task groups),"
                        + " must be at most 10000",
                tasks.getMessage());
        List<GangSpec.Group> many = IntStream.rangeClosed(0, GangSpec.MOST_GROUPS)
                .mapToObj(i -> new GangSpec.Group("g" + i, 1, 1, ResourceVector.of(0, 1, 1), List.of()))
                .toList();
        WireFormatException groups =
                assertThrows(WireFormatException.class, () -> new GangSpec(many, "", 0, false, 0, ""));
        assertEquals("treadle.gang names 65 task groups, must name at most 64", groups.getMessage());
    }

    @Test
    void profileThatWasCutOffIsReadAsOne() {
        ProfileRecord cutOff = PROFILE.withComplete(false);
        assertNotEquals(PROFILE, cutOff);
        assertEquals(cutOff, ProfileRecord.fromJson("profile", cutOff.toJson()));
        assertEquals(cutOff.withUpdatedMs(9), PROFILE.withUpdatedMs(9).withComplete(false));
    }

    @Test
    void profileHasNoMorePointsThanAnybodyMeasures() {
        List<ProfileRecord.Point> points = IntStream.rangeClosed(1, ProfileRecord.MOST_POINTS + 1)
                .mapToObj(i -> new ProfileRecord.Point(i, 0, i, 1))
                .toList();
        String json = new ProfileRecord("a", "", "", 0, ProfileRecord.Phase.READY, 1, points, 1).toJson();
        WireFormatException refused =
                assertThrows(WireFormatException.class, () -> ProfileRecord.fromJson("profile of x", json));
        assertEquals("profile of x: field 'points' has 257 points, must have at most 256", refused.getMessage());
    }

    @Test
    void profileOfAnOlderWriterHasOneJobAndErrorsThatNobodyKnows() {
        String old = "{\"schema\":1,\"applicationId\":\"a\",\"phase\":\"ready\",\"workers\":1,"
                + "\"points\":[{\"vcores\":2,\"samplesPerSecond\":20}]}";
        ProfileRecord read = ProfileRecord.fromJson("profile", old);
        assertEquals(List.of(new ProfileRecord.Point(2, 0, 20, 0, 0, 1)), read.points());
        assertEquals(1, read.jobs());
        assertEquals(Optional.empty(), read.dataset());
        assertEquals(List.of(), read.energy());
        assertTrue(read.rmsError().isEmpty());
    }

    @Test
    void energyIsKeptWhateverElseChanges() {
        List<EnergyPoint> energy = PROFILE.energy();
        assertEquals(energy, PROFILE.withPhase(ProfileRecord.Phase.PROFILING).energy());
        assertEquals(energy, PROFILE.withPoints(List.of(), 1).withGpuModel("T4").energy());
        assertEquals(
                energy, PROFILE.withDataset(Optional.empty()).withUpdatedMs(8).energy());
        assertEquals(List.of(), PROFILE.withEnergy(List.of()).energy());
    }

    @Test
    void energyOfTheSameConfigurationIsWeighedByItsError() {
        EnergyPoint first = new EnergyPoint(2, 1, 64, 400, 20, 700, 9, 0.02, 3);
        EnergyPoint later = new EnergyPoint(2, 1, 64, 399, 22, 680, 5, 0.02, 1);
        assertTrue(first.isLike(later) && later.isPossible());
        assertFalse(first.isLike(new EnergyPoint(2, 1, 64, 2, 400, 20, 700, 9, 0.02, 3)), "two passes a step");
        EnergyPoint both = first.refinedBy(later);
        assertEquals(21, both.samplesPerSecond(), 1e-9);
        assertEquals(690, both.watts(), 1e-9);
        assertEquals(0.02 / Math.sqrt(2), both.error(), 1e-9);
        assertEquals(14, both.seconds());
        assertEquals(4, both.count());
        assertEquals(700.0 / 20, first.joulesPerSample());
    }

    @Test
    void energyFileOfImpossibleFiguresIsRefused() {
        String negative = ENERGY.toJson().replace("12345678", "-1");
        WireFormatException refused = assertThrows(WireFormatException.class, () -> EnergyFile.fromJson(negative));
        assertEquals(
                "energy.json: field 'millijoules' is \"-1\", must be a whole number from 0 to 9223372036854775807"
                        .replace("\"", ""),
                String.valueOf(refused.getMessage()).replace("\"", ""));
        assertTrue(ENERGY.saysWhat(new EnergyFile(1, 12_345_678, 2, 250.5, 100, 400)));
    }

    @Test
    void errorOfACurveIsTheRootMeanSquareOfWhatIsKnown() {
        ProfileRecord two = PROFILE.withPoints(
                List.of(
                        new ProfileRecord.Point(1, 0, 10, 5, 0.03, 1),
                        new ProfileRecord.Point(2, 0, 20, 5, 0.04, 1),
                        new ProfileRecord.Point(4, 0, 40, 5)),
                1);
        // √((0.03² + 0.04²) / 2) = 0.05 / √2
        assertEquals(0.05 / Math.sqrt(2), two.rmsError().orElseThrow(), 1e-12);
    }

    @Test
    void unpinnedContainerHasNoCpus() {
        ResourcesFile unpinned = new ResourcesFile(1, 1, null, 1, 0, 0, 0, List.of());
        assertEquals(unpinned, ResourcesFile.fromJson(unpinned.toJson()));
        assertTrue(unpinned.toJson().contains("\"cpus\":null"));
    }

    @Test
    void unknownFieldsAreIgnored() {
        String more = PROFILE.toJson().replaceFirst("\\{", "{\"later\":{\"a\":[1]},");
        assertEquals(PROFILE, ProfileRecord.fromJson("profile", more));
    }

    @Test
    void higherSchemaIsRefused() {
        String newer = PROFILE.toJson().replace("\"schema\":1", "\"schema\":2");
        WireFormatException refused =
                assertThrows(WireFormatException.class, () -> ProfileRecord.fromJson("profile of x", newer));
        assertEquals(
                "profile of x has schema 2, this Treadle reads up to 1. Maybe this process has to be upgraded.",
                refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"vcores\":4 | \"vcores\":-4 | field 'vcores' is -4",
                "\"samplesPerSecond\":40.0 | \"samplesPerSecond\":\"fast\" | field 'samplesPerSecond' is \"fast\"",
                "\"phase\":\"ready\" | \"phase\":\"done\" | must be one of [profiling, ready]",
                "\"applicationId\":\"application_1_0001\" | \"applicationId\":null | field 'applicationId' is missing",
                "\"error\":0.03 | \"error\":-0.03 | field 'error' is -0.03",
                "\"jobs\":3 | \"jobs\":0 | field 'jobs' is 0",
                "\"bytes\":150000000000 | \"bytes\":0 | profile.dataset: field 'bytes' is 0",
                "\"diskMBps\":250.0 | \"diskMBps\":\"slow\" | profile.dataset: field 'diskMBps' is \"slow\"",
                "\"workers\":2 | \"workers\":2.5 | field 'workers' is 2.5, must be a whole number",
            })
    void wrongFieldIsNamedWithItsValue(String good, String bad, String message) {
        String text = PROFILE.toJson();
        assertTrue(text.contains(good.strip()), () -> good + " is not in " + text);
        WireFormatException refused = assertThrows(
                WireFormatException.class,
                () -> ProfileRecord.fromJson("profile", text.replace(good.strip(), bad.strip())));
        assertTrue(String.valueOf(refused.getMessage()).contains(message.strip()), refused::getMessage);
    }

    @ParameterizedTest
    @CsvSource({"treadle.total-samples, many", "treadle.spec-version, 2", "treadle.gang, {}", "treadle.gang, []"})
    void wrongSubmissionPropertyIsRefused(String name, String value) {
        Map<String, String> properties = new HashMap<>(GANG.toProperties());
        properties.put(name, value);
        assertThrows(WireFormatException.class, () -> GangSpec.fromProperties(properties));
    }

    @Test
    void deviceTags() {
        assertEquals("treadle.dev.GPU-1.all", DeviceTag.whole("GPU-1").format());
        assertEquals("treadle.dev.GPU-1.4096", DeviceTag.slice("GPU-1", 4096).format());
        assertEquals(Optional.of(DeviceTag.whole("GPU.x")), DeviceTag.parse("treadle.dev.GPU.x.all"));
        assertEquals(Optional.empty(), DeviceTag.parse("someone-elses-tag"));
        assertThrows(WireFormatException.class, () -> DeviceTag.parse("treadle.dev.GPU-1.-5"));
        assertThrows(WireFormatException.class, () -> DeviceTag.parse("treadle.dev.all"));
    }

    /** Damaged records end in the one exception that every reader expects, whatever was damaged. */
    @Test
    void damagedTextNeverEscapesAsAnotherException() {
        long seed = 20261121;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(List.of(
                            PROFILE.toJson(),
                            NODE.toJson(),
                            RESOURCES.toJson(),
                            PowerRecordsTest.CAPS.toJson(),
                            PowerRecordsTest.NODE.toJson())
                    .get(random.nextInt(5)));
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                if (random.nextBoolean()) {
                    text.setCharAt(at, "{}[]\",:0-9aelnu.\u0000".charAt(random.nextInt(17)));
                } else {
                    text.delete(at, Math.min(text.length(), at + random.nextInt(20)));
                    text.append(' ');
                }
            }
            read(text.toString(), "seed " + seed + ", case " + i);
        }
    }

    private static void read(String text, String where) {
        List<Runnable> readers = List.of(
                () -> ProfileRecord.fromJson("profile", text),
                () -> NodeRecord.fromJson("node", text),
                () -> NodeCaps.fromJson("caps", text),
                () -> ResourcesFile.fromJson(text),
                () -> JobProgressRecord.fromJson("progress", text),
                () -> ProgressLine.fromJson(text),
                () -> WorkerCommand.fromJson(text));
        for (Runnable reader : readers) {
            try {
                reader.run();
            } catch (WireFormatException expected) {
                assertTrue(!String.valueOf(expected.getMessage()).isEmpty(), where);
            } catch (RuntimeException e) {
                throw new AssertionError(where + ": " + text, e);
            }
        }
    }
}
