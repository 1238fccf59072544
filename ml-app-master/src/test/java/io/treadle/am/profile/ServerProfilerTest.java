// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.model.ps.PsSizes;
import io.treadle.core.model.ps.PsTrust;
import io.treadle.core.wire.ProfileServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that are as fast as a model says, each tenth of a second, with a scheduler that gives what is asked for. */
class ServerProfilerTest {
    private static final double TICK = 0.1;
    private static final int BATCH = 64;
    private static final PsSizes UP_TO_FOUR = new PsSizes(new PsSize(1, 1), new PsSize(4, 4), Set.of());

    private double seconds = 100;
    private int start = 1;
    private PsSize size = new PsSize(1, 1);
    private final List<PsSize> sizes = new ArrayList<>(List.of(size));
    private List<SampleSeries> series = List.of(new SampleSeries());
    private double done;
    private boolean silent;

    private static LayeredPsModel model(Mode mode) {
        return LayeredPsModel.ofWhole(0.004, 0.05, 0.08, 0.01, 0.02, mode, BATCH);
    }

    private static ServerProfiler profiler(Mode mode, PsSizes sizes) {
        return new ServerProfiler(new ServerSettings(true, mode, sizes, 5));
    }

    private void restart() {
        start++;
        done = 0;
        series = new ArrayList<>();
        for (int i = 0; i < size.workers(); i++) {
            series.add(new SampleSeries());
        }
    }

    /** Until the time is over, or it has what it needs. */
    private void train(ServerProfiler profiler, LayeredPsModel model, double forSeconds) {
        for (double end = seconds + forSeconds; seconds < end; seconds += TICK) {
            done += TICK * model.samplesPerSecond(size.workers(), size.servers());
            double iteration = model.iterationSeconds(size.workers(), size.servers());
            if (!silent && Math.floor(seconds / iteration) > Math.floor((seconds - TICK) / iteration)) {
                series.forEach(worker -> worker.add(seconds, done / size.workers()));
            }
            long batch = model.mode() == Mode.SYNC ? BATCH : (long) BATCH * size.workers();
            profiler.observe(new ServerObservation(seconds, true, start, Optional.of(size), batch, series));
        }
    }

    /** The scheduler gives the job what it asks for. */
    private void obey(ServerProfiler profiler) {
        Optional<PsSize> next = next(profiler);
        if (next.isPresent() && !next.get().equals(size)) {
            size = next.get();
            sizes.add(size);
            restart();
        }
    }

    private static Optional<PsSize> next(ServerProfiler profiler) {
        return profiler.profile().flatMap(ProfileServers::next).map(next -> new PsSize(next.workers(), next.servers()));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void findsItsModelWhileItTrains(Mode mode) {
        LayeredPsModel truth = model(mode);
        ServerProfiler profiler = profiler(mode, UP_TO_FOUR);
        for (int i = 0; i < 8; i++) {
            train(profiler, truth, 40);
            obey(profiler);
        }
        ProfileServers found = profiler.profile().orElseThrow();
        LayeredPsModel model = PsModels.model(found.model().orElseThrow());
        for (int w = 1; w <= 4; w++) {
            for (int p = 1; p <= 4; p++) {
                double real = truth.samplesPerSecond(w, p);
                assertEquals(real, model.samplesPerSecond(w, p), 0.05 * real, w + " workers, " + p + " servers");
            }
        }
        assertEquals(mode == Mode.SYNC ? 5 : 4, sizes.size(), sizes::toString);
        assertEquals(found.samples().size(), sizes.size());
        assertTrue(found.samples().stream().allMatch(sample -> sample.error().orElseThrow() < 0.05));
        assertTrue(found.noise().orElseThrow() < 0.1, () -> "noise " + found.noise());
        assertTrue(PsTrust.of(found).orElseThrow() != Confidence.LOW);
        assertEquals("", profiler.describe());
        assertTrue(profiler.takeChanged());
        assertFalse(profiler.takeChanged());
    }

    @Test
    void asksForASizeThatItDoesNotGetAndIsMeasuredAtWhatItHas() {
        ServerProfiler profiler = profiler(Mode.SYNC, UP_TO_FOUR);
        train(profiler, model(Mode.SYNC), 1);
        assertEquals(Optional.of(new PsSize(1, 1)), next(profiler), "first what it has");
        assertEquals("measuring the speed of 1 worker and 1 server, 0 measured so far", profiler.describe());
        train(profiler, model(Mode.SYNC), 100);
        assertEquals(Optional.of(new PsSize(2, 1)), next(profiler));
        assertEquals(1, profiler.profile().orElseThrow().samples().size());
        size = new PsSize(3, 2);
        restart();
        train(profiler, model(Mode.SYNC), 40);
        assertEquals(2, profiler.profile().orElseThrow().samples().size());
        assertEquals("asks for 2 workers and 1 server to measure their speed, 2 measured so far", profiler.describe());
    }

    @Test
    void aProbeThatCrashesIsAskedForNoMore() {
        ServerProfiler profiler = profiler(Mode.SYNC, UP_TO_FOUR);
        train(profiler, model(Mode.SYNC), 40);
        obey(profiler);
        PsSize crashes = size;
        train(profiler, model(Mode.SYNC), 3);
        assertTrue(profiler.failed());
        assertFalse(profiler.failed(), "once");
        restart();
        train(profiler, model(Mode.SYNC), 0.2);
        assertFalse(next(profiler).orElseThrow().equals(crashes));
        for (int i = 0; i < 8; i++) {
            obey(profiler);
            train(profiler, model(Mode.SYNC), 40);
        }
        assertEquals(1, sizes.stream().filter(crashes::equals).count());
        ProfileServers found = profiler.profile().orElseThrow();
        assertTrue(found.model().isPresent(), "others tell as much");
        assertTrue(profiler.describe().startsWith("could not measure the speed of " + crashes.text()));
    }

    @Test
    void aProbeThatTellsNothingIsGivenUp() {
        ServerProfiler profiler = profiler(Mode.SYNC, UP_TO_FOUR);
        train(profiler, model(Mode.SYNC), 40);
        obey(profiler);
        PsSize silentSize = size;
        silent = true;
        train(profiler, model(Mode.SYNC), ServerProfiler.SILENT_SECONDS - 5);
        assertEquals(Optional.of(silentSize), next(profiler));
        train(profiler, model(Mode.SYNC), 10);
        assertFalse(next(profiler).orElseThrow().equals(silentSize));
    }

    @Test
    void aJobThatTellsNoProgressAsksForNothing() {
        ServerProfiler profiler = profiler(Mode.SYNC, UP_TO_FOUR);
        silent = true;
        assertFalse(profiler.failed(), "it is the size that it has anyway");
        train(profiler, model(Mode.SYNC), 2 * ServerProfiler.SILENT_SECONDS);
        assertEquals(Optional.empty(), profiler.profile());
        assertEquals(
                "could not measure the speed of 1 worker and 1 server: its progress does not tell it",
                profiler.describe());
    }

    @Test
    void whatIsKnownIsNotMeasuredAgain() {
        ServerProfiler first = profiler(Mode.SYNC, UP_TO_FOUR);
        for (int i = 0; i < 8; i++) {
            train(first, model(Mode.SYNC), 40);
            obey(first);
        }
        ServerProfiler later = profiler(Mode.SYNC, UP_TO_FOUR);
        later.know(first.profile());
        assertEquals(Optional.empty(), next(later));
        assertEquals(
                first.profile().orElseThrow().samples().size(),
                later.profile().orElseThrow().samples().size());
        // What waits for nobody was measured of another job.
        ServerProfiler other = profiler(Mode.ASYNC, UP_TO_FOUR);
        other.know(first.profile());
        train(other, model(Mode.ASYNC), 1);
        assertTrue(next(other).isPresent());
    }

    @Test
    void halfMeasuredItGoesOnWhereItWas() {
        ServerProfiler first = profiler(Mode.SYNC, UP_TO_FOUR);
        train(first, model(Mode.SYNC), 40);
        obey(first);
        train(first, model(Mode.SYNC), 40);
        ServerProfiler second = profiler(Mode.SYNC, UP_TO_FOUR);
        second.know(first.profile());
        assertEquals(next(first), next(second));
        assertEquals(2, second.profile().orElseThrow().samples().size());
    }

    @Test
    void aJobOfOneSizeHasNothingToMeasure() {
        ServerProfiler profiler = profiler(Mode.SYNC, new PsSizes(size, size, Set.of()));
        train(profiler, model(Mode.SYNC), 40);
        assertEquals(Optional.empty(), profiler.profile());
    }

    @Test
    void aSizeWithoutRoomMakesWayForOthersThatTellAsMuch() {
        ServerProfiler profiler = profiler(Mode.SYNC, UP_TO_FOUR);
        train(profiler, model(Mode.SYNC), 40);
        PsSize never = next(profiler).orElseThrow();
        train(profiler, model(Mode.SYNC), ServerProfiler.ASKED_SECONDS + 60);
        assertFalse(next(profiler).orElseThrow().equals(never));
        for (int i = 0; i < 8; i++) {
            obey(profiler);
            train(profiler, model(Mode.SYNC), 40);
        }
        assertTrue(profiler.profile().orElseThrow().model().isPresent());
    }

    /** The sizes left would leave open what the others cost: a fit would send the job there. */
    @Test
    void withoutTheSizesThatFailedThereIsNoFit() {
        ServerProfiler profiler = profiler(Mode.SYNC, new PsSizes(new PsSize(1, 1), new PsSize(2, 1), Set.of()));
        train(profiler, model(Mode.SYNC), 40);
        obey(profiler);
        train(profiler, model(Mode.SYNC), 1);
        assertTrue(profiler.failed());
        assertEquals(Optional.empty(), profiler.profile());
    }
}
