// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileImportTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final ProfileRecord PROFILE = new ProfileRecord(
            "application_1_0001",
            "resnet",
            "A100",
            32,
            ProfileRecord.Phase.READY,
            2,
            List.of(new ProfileRecord.Point(1, 1024, 10.5, 5), new ProfileRecord.Point(4, 1024, 40, 6)),
            NOW - 1000);

    private static String refusal(String text) {
        return String.valueOf(assertThrows(WireFormatException.class, () -> ProfileImport.read("'p.json'", text, NOW))
                .getMessage());
    }

    @Test
    void whatIsExportedCanBeImported() {
        assertEquals(PROFILE, ProfileImport.read("'p.json'", PROFILE.toJson(), NOW));
    }

    @Test
    void energyIsImportedWithIt() {
        ProfileRecord metered = PROFILE.withEnergy(List.of(new EnergyPoint(2, 1, 64, 400, 20, 700, 9, 0.02, 3)));
        String text = metered.toJson();
        assertEquals(metered, ProfileImport.read("'p.json'", text, NOW));
        assertTrue(refusal(text.replace("\"watts\"", "\"kilowatts\"")).contains("unknown field 'kilowatts'"));
        assertEquals(
                "'p.json': field 'energy' at 2 GPUs and 400.0 W has a speed of 20.0 samples per second and a draw of"
                        + " 7000.0 W on 1 nodes; cap, speed and draw must be above 0, the draw of each GPU at most its"
                        + " cap, and each node must have a GPU",
                refusal(text.replace("700.0", "7000.0")));
        EnergyPoint point = metered.energy().get(0);
        assertTrue(refusal(metered.withEnergy(List.of(point, point)).toJson()).contains("is there twice"));
    }

    @Test
    void serversAreImportedWithIt() {
        ServersModel model = new ServersModel(
                ServersModel.Mode.SYNC,
                ServersModel.Overlap.NONE,
                64,
                new ServersModel.Fitted(0.002, 0.1, 0.2, 0.001, 0.002));
        ProfileRecord sized = PROFILE.withServers(Optional.of(
                new ProfileServers(model, List.of(new ProfileServers.Sample(1, 2, 0.3)), OptionalDouble.of(0.05))));
        String text = sized.toJson();
        assertEquals(sized, ProfileImport.read("'p.json'", text, NOW));
        assertTrue(refusal(text.replace("\"perServer\"", "\"perServerMs\"")).contains("unknown field 'perServerMs'"));
        assertTrue(refusal(text.replace("\"seconds\":0.3", "\"ms\":300")).contains("unknown field 'ms'"));
    }

    @Test
    void withoutATimeItIsNew() {
        String text = PROFILE.toJson().replace("\"updatedMs\":" + (NOW - 1000) + ",", "");
        assertEquals(NOW, ProfileImport.read("'p.json'", text, NOW).updatedMs());
    }

    @Test
    void curvesThatFallAreLeftToTheFit() {
        String text = PROFILE.toJson().replace("40.0", "9.0");
        assertEquals(2, ProfileImport.read("'p.json'", text, NOW).points().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.5 | NaN | 'p.json' holds a figure that is no number (NaN or infinity)",
                "10.5 | 1e400 | field 'samplesPerSecond' is \"Infinity\", must be a number from 0.0 to 1.0E12",
                "10.5 | 2e12 | field 'samplesPerSecond' is 2.0E12, must be a number from 0.0 to 1.0E12",
                "10.5 | -10.5 | 'p.json'.points[0]: field 'samplesPerSecond' is -10.5",
                "10.5 | 0 | field 'samplesPerSecond' at 1 vcores is 0.0, must be above 0",
                "\"vcores\":4 | \"vcores\":1 | field 'points' has 1 vcores twice",
                "\"vcores\":4 | \"vcores\":4000000 | field 'vcores' is 4000000, must be a whole number from 1 to"
                        + " 1000000",
                "memoryMiB | memoryGB | 'p.json'.points[0]: unknown field 'memoryGB'; units are part of the names."
                        + " Fields: count, error, memoryMiB",
                "samplesPerSecond | samplesPerMinute | unknown field 'samplesPerMinute'",
                "\"schema\":1 | \"schema\":2 | 'p.json' has schema 2, this Treadle reads up to 1",
                "\"schema\":1, | '' | 'p.json': field 'schema' is missing",
                "\"phase\":\"ready\" | \"phase\":\"profiling\" | must be 'ready'",
                "\"modelTag\":\"resnet\" | \"modelTag\":\"\" | field 'modelTag' is missing",
                "1799999999000 | 1900000000000 | which is in the future",
            })
    void whatCannotBeStoredIsNamed(String good, String bad, String message) {
        String text = PROFILE.toJson();
        assertTrue(text.contains(good), () -> good + " is not in " + text);
        String refused = refusal(text.replace(good, bad));
        assertTrue(refused.contains(message), refused);
    }

    @Test
    void namesAreOfALengthThatListsOfThemCanHave() {
        String tag = "x".repeat(129);
        assertEquals(
                "'p.json': field 'modelTag' has 129 characters, must have at most 128",
                refusal(PROFILE.toJson().replace("\"resnet\"", "\"" + tag + "\"")));
        assertEquals(
                "'p.json': field 'gpuModel' has 129 characters, must have at most 128",
                refusal(PROFILE.withGpuModel(tag).toJson()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "[]", "{", "null", "{\"schema\":1}", "\u0000"})
    void whatIsNoProfileAtAllIsRefused(String text) {
        assertTrue(refusal(text).startsWith("'p.json'"), refusal(text));
    }

    @Test
    void ofTwoOfAThingNoneIsLostWithoutAWord() {
        String text = PROFILE.toJson();
        assertEquals(
                "'p.json' goes on after its JSON object, must hold one profile and nothing else",
                refusal(text + "\n" + text));
        String twice = text.replace("\"vcores\":4", "\"vcores\":4,\"vcores\":6");
        assertTrue(refusal(twice).startsWith("'p.json' is no profile: Duplicate field 'vcores'"), refusal(twice));
        assertEquals(PROFILE, ProfileImport.read("'p.json'", text + " \n", NOW));
    }

    @Test
    void nothingMeasuredIsNoProfile() {
        assertEquals(
                "'p.json': field 'points' is empty, must hold at least one point",
                refusal(PROFILE.withPoints(List.of(), 1).toJson()));
    }
}
