// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a NodeManager finds that another one before it has left. */
class CapRecoveryTest {
    private final Path directory;
    private final Path journal;
    private final FakeClock clock = new FakeClock();
    private final Map<String, Long> limits = new HashMap<>();
    private final FakeActuator gpu = new FakeActuator("fake", limits);

    CapRecoveryTest(@TempDir Path directory) {
        this.directory = directory;
        this.journal = directory.resolve("n1").resolve("journal.json");
    }

    /** Caps A, whose own limit is 350 W, and ends without restoring it. Its locks end with it. */
    private void killedWhileCapped(String boot) {
        limits.put("A", 350_000L);
        CapsFixture killed = new CapsFixture(directory, boot, "n1", clock, gpu).started();
        killed.want(250);
        assertEquals(250_000, gpu.limit("A"));
        killed.kill();
        gpu.changes.clear();
        assertEquals(250_000, gpu.limit("A"));
    }

    @Test
    void limitsAreRestoredFirstAtTheNextStart() {
        killedWhileCapped("boot-1");
        try (CapsFixture next = new CapsFixture(directory, clock, gpu).started()) {
            assertEquals(List.of("A=350000"), gpu.changes);
            assertFalse(Files.exists(journal));
            assertEquals(350, next.want(380).wantedWatts(), "the cap that was left is not taken for the own limit");
        }
    }

    @Test
    void restoringIsTriedAgainUntilItWorks() {
        killedWhileCapped("boot-1");
        try (CapsFixture next = new CapsFixture(directory, clock, gpu)) {
            gpu.silent = true;
            next.started();
            next.follow();
            assertTrue(Files.exists(journal));
            assertTrue(
                    next.a().trouble().startsWith("the limit is 250.0 W after 350.0 W was set"),
                    next.a().trouble());
            gpu.silent = false;
            clock.advance(CappedGpu.LEAST_BACK_OFF_MS);
            next.follow();
            assertEquals(350_000, gpu.limit("A"));
            assertFalse(Files.exists(journal));
        }
    }

    @Test
    void ownLimitThatTheDeviceDoesNotTakeAnyMoreBecomesTheNearest() throws IOException {
        killedWhileCapped("boot-1");
        Files.writeString(journal, Files.readString(journal).replace("350000", "450000"));
        try (CapsFixture next = new CapsFixture(directory, clock, gpu).started()) {
            assertEquals(400_000, gpu.limit("A"));
            assertFalse(Files.exists(journal));
            assertEquals("", next.a().trouble());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"schema\":1",
                "{\"schema\":1,\"boot\":\"boot-1\",\"limits\":[{\"uuid\":\"A\"}]}",
                "\u0000\u0001"
            })
    void journalThatCannotBeReadIsKeptAndTheDefaultIsSet(String text) throws IOException {
        killedWhileCapped("boot-1");
        Files.delete(directory.resolve("locks").resolve("A.own"));
        Files.writeString(journal, text);
        try (CapsFixture next = new CapsFixture(directory, clock, gpu).started()) {
            assertEquals(List.of("A=400000"), gpu.changes, "B has its default already");
            assertEquals(text, Files.readString(journal.resolveSibling("journal.json.unreadable")));
            assertFalse(Files.exists(journal));
            assertEquals(250, next.want(250).effectiveWatts());
        }
    }

    @Test
    void journalThatCannotBeReadCostsNothingWhereTheLockKnowsTheOwnLimit() throws IOException {
        killedWhileCapped("boot-1");
        Files.writeString(journal, "{");
        try (CapsFixture next = new CapsFixture(directory, clock, gpu).started()) {
            assertEquals(List.of("A=350000"), gpu.changes);
            assertEquals(350, next.want(380).wantedWatts());
        }
    }

    @Test
    void journalOfAnotherBootChangesNothing() {
        killedWhileCapped("boot-1");
        limits.put("A", 320_000L); // As a script of the admin's has set it after the start of the machine.
        try (CapsFixture next = new CapsFixture(directory, "boot-2", "n1", clock, gpu).started()) {
            assertEquals(List.of(), gpu.changes);
            assertFalse(Files.exists(journal));
            assertEquals(320, next.want(380).wantedWatts());
        }
    }

    @Test
    void journalOfOtherCardsIsKeptForThem() throws IOException {
        killedWhileCapped("boot-1");
        Files.delete(directory.resolve("locks").resolve("A.own"));
        Files.writeString(journal, Files.readString(journal).replace("\"A\"", "\"GPU-elsewhere\""));
        try (CapsFixture next = new CapsFixture(directory, clock, gpu).started()) {
            assertEquals(List.of(), gpu.changes);
            assertTrue(Files.readString(journal).contains("GPU-elsewhere"));
            next.want(200);
            next.follow(Set.of(), Set.of());
            assertTrue(Files.readString(journal).contains("GPU-elsewhere"));
            assertFalse(Files.readString(journal).contains("\"A\""));
        }
    }

    @Test
    void journalThatCannotBeOpenedMeansNoCaps() throws IOException {
        Files.createDirectories(journal.resolve("a-directory-in-its-place"));
        try (CapsFixture next = new CapsFixture(directory, clock, gpu).started()) {
            assertTrue(
                    next.want(250).trouble().endsWith("cannot be opened"),
                    next.a().trouble());
            assertEquals(List.of(), gpu.changes);
        }
    }

    @Test
    void gpuThatIsLostAtTheEndIsRestoredByTheNextStart() {
        limits.put("A", 350_000L);
        try (CapsFixture first = new CapsFixture(directory, clock, gpu).started()) {
            first.want(250);
            first.follow(Set.of("A"), Set.of("A"));
        }
        assertEquals(250_000, gpu.limit("A"), "nobody could tell the device");
        try (CapsFixture next = new CapsFixture(directory, clock, gpu).started()) {
            assertEquals(350_000, gpu.limit("A"));
        }
    }

    @Test
    void ofTwoNodeManagersOnlyTheFirstSets() {
        FakeActuator same = new FakeActuator("fake", limits);
        try (CapsFixture second = new CapsFixture(directory, "boot-1", "n2", clock, same)) {
            try (CapsFixture first = new CapsFixture(directory, clock, gpu).started()) {
                second.started();
                first.want(300);
                assertEquals("limits are set by n1", second.want(200).trouble());
                assertEquals(List.of(), same.changes);
                assertEquals(300_000, gpu.limit("A"));
            }
            assertEquals(new CapState(200, 200, "fake", ""), second.follow(), "the first has ended");
        }
    }

    @Test
    void secondNodeManagerThatTakesOverKnowsTheOwnLimit() {
        limits.put("A", 350_000L);
        CapsFixture killed = new CapsFixture(directory, clock, gpu).started();
        killed.want(250);
        try (CapsFixture second = new CapsFixture(directory, "boot-1", "n2", clock, gpu)) {
            second.started();
            killed.kill();
            assertEquals(new CapState(0, 350, "fake", ""), second.follow());
            assertEquals(350, second.want(380).wantedWatts());
        }
        try (CapsFixture again = new CapsFixture(directory, clock, gpu).started()) {
            assertEquals(350_000, gpu.limit("A"));
            assertFalse(Files.exists(journal));
            assertEquals("", again.a().trouble());
        }
    }
}
