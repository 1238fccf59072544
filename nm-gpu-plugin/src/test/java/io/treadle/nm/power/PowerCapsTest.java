// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeCaps;
import io.treadle.nm.FakeClock;
import io.treadle.nm.device.PowerLimitException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PowerCapsTest {
    private final Path directory;
    private final FakeClock clock = new FakeClock();
    private final FakeActuator gpu = new FakeActuator("fake");
    private final CapsFixture node;

    PowerCapsTest(@TempDir Path directory) {
        this.directory = directory;
        this.node = new CapsFixture(directory, clock, gpu);
    }

    @AfterEach
    void unlock() {
        node.close();
    }

    @Test
    void nothingIsChangedUntilTheResourceManagerAsks() {
        node.started();
        node.follow();
        assertEquals(List.of(), gpu.changes);
        assertEquals(new CapState(0, 400, "fake", ""), node.a());
        assertFalse(Files.exists(node.journal.file()));
    }

    @Test
    void capHoldsWhileAContainerHoldsTheGpu() {
        node.started();
        assertEquals(new CapState(250, 250, "fake", ""), node.want(250));
        assertEquals(1, node.caps.epoch());
        node.follow(Set.of(), Set.of());
        assertEquals(List.of("A=250000", "A=400000"), gpu.changes);
        assertFalse(Files.exists(node.journal.file()), "nothing is left to restore");
    }

    @Test
    void gpuThatIsNotNamedAnyMoreIsRestored() {
        node.started();
        node.want(250);
        node.want(0);
        assertEquals(400_000, gpu.limit("A"));
    }

    @Test
    void ownLimitIsOnTheDiskBeforeTheFirstCap() throws IOException {
        gpu.put("A", 350_000);
        node.started();
        gpu.silent = true; // As if the process ended right before the device.
        node.want(250);
        assertTrue(Files.readString(node.journal.file()).contains("{\"uuid\":\"A\",\"milliwatts\":350000}"));
    }

    @Test
    void gpuWhoseOwnLimitCannotBeKeptIsNotCapped() throws IOException {
        node.started();
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("n1"), "a file where the journal's directory should be");
        node.want(250);
        CapState state = node.follow();
        assertEquals(List.of(), gpu.changes);
        assertTrue(state.trouble().startsWith("its own limit cannot be written to "), state.trouble());
    }

    @Test
    void capIsBroughtIntoWhatTheDeviceTakesAndWhatWasSetAtStart() {
        gpu.put("A", 350_000);
        node.started();
        assertEquals(100, node.want(20).effectiveWatts());
        clock.advance(CapsFixture.INTERVAL_MS);
        assertEquals(new CapState(350, 350, "fake", ""), node.want(380), "never above the limit that was there");
    }

    @Test
    void loweringIsImmediateAndRisesWait() {
        node.started();
        node.want(300);
        assertEquals(200, node.want(200).effectiveWatts(), "lower at once");
        clock.advance(CapsFixture.INTERVAL_MS - 1);
        assertEquals(new CapState(280, 200, "fake", ""), node.want(280), "too soon after the last change");
        clock.advance(1);
        assertEquals(280, node.follow().effectiveWatts());
    }

    @Test
    void riseAfterAFailureWaitsToo() {
        node.started();
        node.want(200);
        gpu.refuses = Reason.FAILED;
        node.want(150);
        gpu.refuses = null;
        assertEquals(200, node.want(300).effectiveWatts(), "what failed was no change");
        clock.advance(CapsFixture.INTERVAL_MS);
        assertEquals(300, node.follow().effectiveWatts());
    }

    @Test
    void olderEpochIsIgnored() {
        node.started();
        node.want(300);
        node.want(250);
        assertFalse(node.lease.offer(new NodeCaps(1, CapsFixture.LEASE_MS, Map.of("A", 150.0))));
        assertFalse(node.lease.offer(new NodeCaps(2, CapsFixture.LEASE_MS, Map.of("A", 150.0))));
        assertEquals(250, node.follow().effectiveWatts());
    }

    @Test
    void silentResourceManagerLosesItsCaps() {
        node.started();
        node.want(250);
        clock.advance(CapsFixture.LEASE_MS - 1);
        assertEquals(250, node.follow().effectiveWatts());
        // The same record once more is no sign of life: ZooKeeper sends it again after a new connection.
        node.lease.offer(new NodeCaps(1, CapsFixture.LEASE_MS, Map.of("A", 250.0)));
        clock.advance(1);
        assertEquals(new CapState(0, 400, "fake", ""), node.follow());
        assertEquals(0, node.caps.epoch());
        assertEquals(250, node.want(250).effectiveWatts(), "heard again");
    }

    @Test
    void clockThatIsSetBackDoesNotLengthenTheLease() {
        node.started();
        node.want(250);
        clock.advance(-3_600_000);
        node.follow();
        clock.advance(CapsFixture.LEASE_MS);
        assertEquals(400, node.follow().effectiveWatts());
    }

    @Test
    void withdrawnRecordRestores() {
        node.started();
        node.want(250);
        node.lease.withdraw();
        assertEquals(400, node.follow().effectiveWatts());
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"NO_PERMISSION", "NOT_SUPPORTED"})
    void actuatorThatMayNotIsPassedOverAtStart(Reason reason) {
        FakeActuator refusing = new FakeActuator("refusing");
        refusing.refuses = reason;
        try (CapsFixture two = new CapsFixture(directory, clock, refusing, gpu).started()) {
            assertEquals(new CapState(250, 250, "fake", ""), two.want(250));
            assertEquals(Map.of("refusing", "refusing refuses 400000"), two.chain.refusals());
        }
    }

    @Test
    void permissionThatIsTakenAwayLaterHandsTheGpuToTheNextActuator() {
        FakeActuator next = new FakeActuator("next");
        try (CapsFixture two = new CapsFixture(directory, clock, gpu, next).started()) {
            gpu.refuses = Reason.NO_PERMISSION;
            assertEquals(new CapState(250, 250, "next", ""), two.want(250));
            assertEquals(List.of(), gpu.changes);
        }
    }

    @Test
    void whereNothingMayItOnlyObservesAndSaysSo() {
        gpu.refuses = Reason.NO_PERMISSION;
        node.started();
        CapState state = node.want(250);
        assertEquals("observe", state.actuator());
        assertEquals(250, state.wantedWatts());
        assertTrue(state.trouble().contains("fake refuses 400000"), state.trouble());
        assertEquals(List.of(), gpu.changes);
    }

    @Test
    void daemonThatComesUpLaterIsFound() {
        gpu.refuses = Reason.FAILED;
        node.started();
        node.want(250);
        gpu.refuses = null;
        clock.advance(CappedGpu.LEAST_BACK_OFF_MS);
        node.want(250);
        clock.advance(CappedGpu.CHOOSE_AGAIN_MS);
        assertEquals(new CapState(240, 240, "fake", ""), node.want(240));
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"OUT_OF_RANGE", "FAILED"})
    void refusedTwiceIsReportedAndLeftAloneForAWhile(Reason reason) {
        node.started();
        gpu.refuses = reason;
        assertEquals("", node.want(250).trouble(), "once may pass by itself");
        assertEquals("fake refuses 250000", node.follow().trouble());
        gpu.refuses = null;
        clock.advance(CappedGpu.LEAST_BACK_OFF_MS - 1);
        assertEquals(List.of(), gpu.changes);
        assertEquals("fake refuses 250000", node.follow().trouble());
        clock.advance(1);
        assertEquals(new CapState(250, 250, "fake", ""), node.follow());
    }

    @Test
    void restoringDoesNotWaitForABackOffOfCapping() {
        node.started();
        node.want(250);
        gpu.refuses = Reason.FAILED;
        node.want(200);
        node.follow();
        gpu.refuses = null;
        assertEquals(400, node.follow(Set.of(), Set.of()).effectiveWatts());
    }

    @Test
    void capThatIsSilentlyNotAppliedIsReported() {
        node.started();
        gpu.silent = true;
        node.want(250);
        CapState state = node.follow();
        assertEquals(400, state.effectiveWatts(), "what is in force, not what was asked for");
        assertEquals("the limit is 400.0 W after 250.0 W was set without complaint", state.trouble());
    }

    @Test
    void gpuThatIsLostWhileCappedIsForgottenAndRestoredWhenItComesBack() {
        gpu.put("A", 350_000);
        node.started();
        node.want(250);
        CapState lost = node.follow(Set.of("A"), Set.of("A"));
        assertEquals(new CapState(250, 0, "fake", "the GPU is lost"), lost);
        gpu.put("A", 400_000); // The reset has taken the admin's limit away, too.
        gpu.changes.clear();
        node.follow(Set.of(), Set.of());
        assertEquals(List.of("A=350000"), gpu.changes);
        assertEquals("", node.a().trouble());
        assertFalse(Files.exists(node.journal.file()));
    }

    @Test
    void gpuThatComesBackUnderItsContainerIsCappedAgain() {
        node.started();
        node.want(250);
        node.follow(Set.of("A"), Set.of("A"));
        gpu.put("A", 400_000);
        assertEquals(250, node.follow().effectiveWatts());
    }

    @Test
    void gpuThatIsLostWhileItIsSetIsNoFailure() {
        node.started();
        gpu.refuses = Reason.LOST;
        assertEquals("the GPU is lost", node.want(250).trouble());
        gpu.refuses = null;
        assertEquals(new CapState(250, 250, "fake", ""), node.follow());
    }

    @Test
    void limitThatSomebodyElseRaisesIsSetAgain() {
        node.started();
        node.want(250);
        gpu.put("A", 400_000);
        clock.advance(CappedGpu.VERIFY_MS);
        assertEquals(250, node.follow().effectiveWatts());
    }

    @Test
    void endRestoresEveryGpu() {
        node.started();
        node.lease.offer(new NodeCaps(1, CapsFixture.LEASE_MS, Map.of("A", 250.0, "B", 200.0)));
        node.follow();
        node.close();
        assertEquals(400_000, gpu.limit("A"));
        assertEquals(400_000, gpu.limit("B"));
        assertFalse(Files.exists(node.journal.file()));
    }

    @Test
    void ownLimitsAreAdvertisedWhileCapsAreInForce() {
        gpu.put("A", 350_000);
        node.started();
        node.want(250);
        assertEquals(350, node.caps.withOwnLimits(List.of(CapsFixture.A)).get(0).limitWatts());
    }
}
