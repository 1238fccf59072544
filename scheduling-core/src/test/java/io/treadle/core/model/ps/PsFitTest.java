// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.model.energy.Confidence;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PsFitTest {
    private static final LayeredPsModel SYNC = LayeredPsModel.ofWhole(.01, .05, .2, .001, .002, Mode.SYNC, 100);
    private static final LayeredPsModel ASYNC = LayeredPsModel.ofWhole(0, .3, .1, .004, .003, Mode.ASYNC, 32);

    @Test
    void fiveSizesTellAllUnknowns() {
        PsFit fit = PsFit.of(samples(SYNC, PsFit.PROBES), Mode.SYNC, 100);
        for (PsSize size : sizes(16, 16)) {
            assertEquals(seconds(SYNC, size), seconds(fit.model(), size), 1e-5 * seconds(SYNC, size), size.text());
        }
        // Without one of the five nothing can be foretold, so nobody knows how good the fit is.
        assertTrue(Double.isNaN(fit.error()));
        assertTrue(Double.isNaN(fit.noise()));
        assertEquals(Confidence.LOW, fit.confidence());
    }

    /** Against fits to measurements that are drawn again and again; sizes of five unknowns and of one less. */
    @ParameterizedTest
    @ValueSource(ints = {4, 2})
    void noiseIsHowFarFitsScatter(int most) {
        PsSizes bounds = upTo(most, most);
        List<PsSize> measured = new ArrayList<>();
        for (Optional<PsSize> next = PsFit.missing(measured, Mode.SYNC, bounds);
                next.isPresent();
                next = PsFit.missing(measured, Mode.SYNC, bounds)) {
            measured.add(next.get());
        }
        double[] errors = {0.01, 0.004, 0.02, 0.008, 0.012};
        List<PsSample> samples = new ArrayList<>();
        for (int i = 0; i < measured.size(); i++) {
            samples.add(new PsSample(measured.get(i), seconds(SYNC, measured.get(i)), errors[i]));
        }
        PsFit fit = PsFit.of(samples, Mode.SYNC, 100, bounds);
        Random random = new Random(7);
        int draws = 1000;
        double[] squares = new double[most * most];
        for (int draw = 0; draw < draws; draw++) {
            List<PsSample> drawn = samples.stream()
                    .map(s -> new PsSample(s.size(), s.seconds() * (1 + s.relativeError() * random.nextGaussian())))
                    .toList();
            LayeredPsModel model = PsFit.of(drawn, Mode.SYNC, 100, bounds).model();
            for (int i = 0; i < squares.length; i++) {
                PsSize size = sizes(most, most).get(i);
                squares[i] += Math.pow(seconds(model, size) / seconds(SYNC, size) - 1, 2);
            }
        }
        double scatter =
                Arrays.stream(squares).map(s -> Math.sqrt(s / draws)).average().orElseThrow();
        assertEquals(scatter, fit.noise(), 0.1 * scatter);
        assertEquals(Confidence.MEDIUM, fit.confidence(), "no size has tested it");
    }

    @Test
    void whatNoiseAndTestsSayTogether() {
        assertEquals(Confidence.HIGH, PsFit.confidence(0.02, 0.03));
        assertEquals(Confidence.MEDIUM, PsFit.confidence(0.02, 0.08));
        assertEquals(Confidence.LOW, PsFit.confidence(0.2, 0.01));
        assertEquals(Confidence.HIGH, PsFit.confidence(0.02, Double.NaN));
        assertEquals(Confidence.MEDIUM, PsFit.confidence(Double.NaN, 0.01));
        assertEquals(Confidence.LOW, PsFit.confidence(Double.NaN, 0.11));
        assertEquals(Confidence.LOW, PsFit.confidence(Double.NaN, Double.NaN));
    }

    @Test
    void oneMoreTellsHowGoodTheFitIs() {
        List<PsSize> six = new ArrayList<>(PsFit.PROBES);
        six.add(new PsSize(3, 2));
        PsFit fit = PsFit.of(samples(SYNC, six), Mode.SYNC, 100);
        assertEquals(Confidence.HIGH, fit.confidence());
        assertTrue(fit.error() < 1e-4, "off by " + fit.error());
    }

    @Test
    void workersThatDoNotWait() {
        PsFit fit = PsFit.of(samples(ASYNC, PsFit.PROBES), Mode.ASYNC, 32);
        for (PsSize size : sizes(8, 8)) {
            assertEquals(seconds(ASYNC, size), seconds(fit.model(), size), 1e-5 * seconds(ASYNC, size), size.text());
        }
        assertEquals(Confidence.HIGH, fit.confidence());
    }

    /** As many workers as servers, however often, never tell w/p from a constant, nor w from p. */
    @Test
    void whatIsMissingIsNamed() {
        List<PsSize> equal = List.of(new PsSize(1, 1), new PsSize(2, 2), new PsSize(4, 4), new PsSize(8, 8));
        String message = assertThrows(
                        IllegalArgumentException.class, () -> PsFit.of(samples(SYNC, equal), Mode.SYNC, 100))
                .getMessage();
        assertEquals(
                "measurements of 1 worker and 1 server; 2 workers and 2 servers; 4 workers and 4 servers; 8 workers and 8 servers leave open how an iteration's time depends on workers and servers; one of 2 workers and 1 server is missing",
                message);
    }

    @Test
    void whatIsMissingLeadsToAFullFit() {
        List<PsSize> measured = new ArrayList<>();
        for (Optional<PsSize> next = PsFit.missing(measured, Mode.SYNC, upTo(8, 8));
                next.isPresent();
                next = PsFit.missing(measured, Mode.SYNC, upTo(8, 8))) {
            measured.add(next.get());
        }
        assertEquals(PsFit.PROBES, measured);
    }

    /** With one server alone no size tells everything. */
    @Test
    void withinNarrowBoundsAsMuchAsCanBe() {
        List<PsSize> measured = new ArrayList<>();
        for (Optional<PsSize> next = PsFit.missing(measured, Mode.SYNC, upTo(4, 1));
                next.isPresent();
                next = PsFit.missing(measured, Mode.SYNC, upTo(4, 1))) {
            measured.add(next.get());
        }
        assertEquals(List.of(new PsSize(1, 1), new PsSize(2, 1), new PsSize(4, 1)), measured);
        // What these leave open makes no difference within the bounds.
        PsFit fit = PsFit.of(samples(SYNC, measured), Mode.SYNC, 100, upTo(4, 1));
        assertEquals(seconds(SYNC, new PsSize(3, 1)), seconds(fit.model(), new PsSize(3, 1)), 1e-4);
    }

    private static List<PsSample> samples(LayeredPsModel model, List<PsSize> sizes) {
        return sizes.stream()
                .map(size -> new PsSample(size, seconds(model, size)))
                .toList();
    }

    private static double seconds(LayeredPsModel model, PsSize size) {
        return model.iterationSeconds(size.workers(), size.servers());
    }

    private static List<PsSize> sizes(int workers, int servers) {
        List<PsSize> all = new ArrayList<>();
        for (int w = 1; w <= workers; w++) {
            for (int p = 1; p <= servers; p++) {
                all.add(new PsSize(w, p));
            }
        }
        return all;
    }

    private static PsSizes upTo(int workers, int servers) {
        return new PsSizes(new PsSize(1, 1), new PsSize(workers, servers), Set.of());
    }

    /** Within bounds that leave four ratios open, and without those that were tried in vain. */
    @Test
    void asksOnlyForSizesThatTheJobMayHave() {
        PsSizes bounds = new PsSizes(new PsSize(2, 1), new PsSize(4, 3), Set.of(new PsSize(4, 1)));
        List<PsSize> measured = new ArrayList<>();
        for (Optional<PsSize> next = PsFit.missing(measured, Mode.SYNC, bounds);
                next.isPresent();
                next = PsFit.missing(measured, Mode.SYNC, bounds)) {
            assertTrue(bounds.allow(next.get()), next.get()::text);
            measured.add(next.get());
        }
        assertEquals(5, measured.size());
        PsFit fit = PsFit.of(samples(SYNC, measured), Mode.SYNC, 100, bounds);
        assertEquals(SYNC.iterationSeconds(3, 3), fit.model().iterationSeconds(3, 3), 1e-4);
    }
}
