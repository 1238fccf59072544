// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileRecord.Phase;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import io.treadle.core.wire.WireFormatException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PsModelsTest {
    private static final LayeredPsModel WHOLE = LayeredPsModel.ofWhole(0.0021, 0.05, 0.2, 0.001, 0.002, Mode.SYNC, 256);
    private static final LayeredPsModel LAYERED = new LayeredPsModel(
            List.of(new Layer(0.001, 0.002, 2e-5, 3e-5, 60e6), new Layer(0.001, 0.002, 0, 0, 20e6)),
            new ServerLinks(1e9, Double.POSITIVE_INFINITY, 1e-11, 1e-4, 2e-4),
            Mode.ASYNC,
            Overlap.WAIT_FREE,
            32);

    private static ProfileRecord record(ProfileServers servers) {
        return new ProfileRecord("application_1_0001", "", "", 0, Phase.READY, 2, List.of(), 7)
                .withServers(Optional.of(servers));
    }

    private static ProfileRecord sent(ProfileRecord record) {
        return ProfileRecord.fromJson("profile", record.toJson());
    }

    @Test
    void fittedModelIsTheSameAfterItsWay() {
        List<PsSample> samples = PsFit.PROBES.stream()
                .map(size -> new PsSample(size, WHOLE.iterationSeconds(size.workers(), size.servers()), 0.01))
                .toList();
        ProfileServers servers = PsModels.wire(PsFit.of(samples, Mode.SYNC, 256), samples);
        assertInstanceOf(
                ServersModel.Fitted.class, servers.model().orElseThrow().shape());
        ProfileServers back = sent(record(servers)).servers().orElseThrow();
        assertEquals(servers, back);
        assertEquals(5, back.samples().size());
        assertEquals(samples, PsModels.samples(back));
        assertTrue(back.noise().isPresent());
        assertTrue(PsTrust.describe(back).startsWith("Confidence in other sizes: medium. No size was measured beyond"));
        assertEquals(
                WHOLE.iterationSeconds(8, 3),
                PsModels.model(back.model().orElseThrow()).iterationSeconds(8, 3),
                1e-6);
    }

    @Test
    void layeredModelIsTheSameAfterItsWay() {
        ProfileServers servers = new ProfileServers(PsModels.wire(LAYERED), List.of(), OptionalDouble.empty());
        assertEquals(
                LAYERED,
                PsModels.model(
                        sent(record(servers)).servers().orElseThrow().model().orElseThrow()));
        assertFalse(LAYERED.isWhole());
        assertEquals(WHOLE, PsModels.model(PsModels.wire(WHOLE)));
    }

    @Test
    void recordWithoutServersHasNone() {
        ProfileRecord record = new ProfileRecord("application_1_0001", "", "", 0, Phase.READY, 2, List.of(), 7);
        assertFalse(record.toJson().contains("servers"));
        assertEquals(Optional.empty(), sent(record).servers());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "\"batch\":256.0 | \"batch\":0 | profile.servers: field 'batch' is 0, must be a number from 1.0 to 1.0E15",
                "\"mode\":\"sync\" | \"mode\":\"both\" | profile.servers: field 'mode' is 'both', must be one of [sync, async]",
                "\"overlap\":\"none\" | \"overlap\":\"wait_free\" | profile.servers: field 'overlap' is 'wait_free', must be 'none' beside 'fitted', which tells no layers apart",
                "\"compute\":0.0021 | \"compute\":-1 | profile.servers.fitted: field 'compute' is -1, must be a number from 0.0 to 1.0E9",
                "\"exchange\":0.2, | '' | profile.servers.fitted: field 'exchange' is missing",
                "\"fitted\" | \"fits\" | profile.servers: must have one of the fields 'fitted' and 'layers', has none",
                "\"seconds\":0.5 | \"seconds\":0 | profile.servers.samples[0]: field 'seconds' is 0, must be a number from 1.0E-9 to 1.0E9",
                "\"servers\":2, | \"servers\":0, | profile.servers.samples[0]: field 'servers' is 0, must be a whole number from 1 to 1000000",
                "\"error\":0.02 | \"error\":-1 | profile.servers.samples[0]: field 'error' is -1, must be a number from 0.0 to 1000000.0",
                "\"noise\":0.3 | \"noise\":[] | profile.servers: field 'noise' is [], must be a number from 0.0 to 1000000.0",
                "\"error\":0.1 | \"error\":\"low\" | profile.servers: field 'error' is \"low\", must be a number from 0.0 to 1000000.0",
            })
    void wrongContentIsNamed(String good, String bad, String why) {
        String json = record(new ProfileServers(
                        PsModels.wire(WHOLE),
                        List.of(new ProfileServers.Sample(1, 2, 0.5, OptionalDouble.of(0.02))),
                        OptionalDouble.of(0.1),
                        OptionalDouble.of(0.3)))
                .toJson();
        String broken = json.replace(good, bad);
        assertFalse(broken.equals(json), json);
        WireFormatException refused =
                assertThrows(WireFormatException.class, () -> ProfileRecord.fromJson("profile", broken));
        assertEquals(why, refused.getMessage());
    }

    @Test
    void modelThatTakesNoTimeIsRefused() {
        String json = record(new ProfileServers(
                        PsModels.wire(LayeredPsModel.ofWhole(1, 0, 0, 0, 0, Mode.SYNC, 1)),
                        List.of(),
                        OptionalDouble.empty()))
                .toJson()
                .replace("\"compute\":1.0", "\"compute\":0");
        WireFormatException refused =
                assertThrows(WireFormatException.class, () -> ProfileRecord.fromJson("profile", json));
        assertEquals("profile.servers.fitted: all times are 0, an iteration must take some", refused.getMessage());
    }

    @Test
    void whatServersCanUseIsTheSameAfterItsWayAndIsNothingToOthers() {
        ProfileServers only = ProfileServers.ofVcores(ServersModel.Mode.ASYNC, 4);
        assertEquals(only, sent(record(only)).servers().orElseThrow());
        assertEquals(Optional.empty(), only.forOthers());
        ProfileServers model = new ProfileServers(PsModels.wire(WHOLE), List.of(), OptionalDouble.empty());
        ProfileServers both = model.withVcores(OptionalLong.of(3));
        assertEquals(both, sent(record(both)).servers().orElseThrow());
        assertEquals(Optional.of(model), both.forOthers());
        String broken = record(only).toJson().replace("\"vcores\":4", "\"vcores\":0");
        WireFormatException refused =
                assertThrows(WireFormatException.class, () -> ProfileRecord.fromJson("profile", broken));
        assertEquals(
                "profile.servers: field 'vcores' is 0, must be a whole number from 1 to 1000000", refused.getMessage());
    }

    @Test
    void measurementsThatTellTooLittleAreTheSameAfterTheirWay() {
        List<PsSample> samples = List.of(new PsSample(new PsSize(2, 1), 0.5));
        ProfileServers servers = PsModels.wire(samples, Mode.ASYNC, 32, new PsSize(4, 1));
        assertEquals(servers, sent(record(servers)).servers().orElseThrow());
        assertEquals(Optional.empty(), servers.model());
        assertEquals(samples, PsModels.samples(servers));
    }
}
