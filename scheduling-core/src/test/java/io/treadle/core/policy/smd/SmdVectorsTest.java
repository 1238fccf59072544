// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.KnownPsModels;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.BoundedSimplex;
import io.treadle.core.solve.ExactKnapsack;
import io.treadle.core.solve.KnapsackItems;
import io.treadle.core.solve.MultiKnapsack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Known answers of a reference implementation, which lie beside the checkout and are not part of it: every figure. */
class SmdVectorsTest {
    private static final double EPSILON = 0.05;
    private static final double CLOSE = 1e-9;
    /** Of times between whole sizes, of which two searches by the golden section find not quite the same. */
    private static final double NEAR = 1e-5;
    /** All that there is is given out, and it makes no difference who runs. */
    private static final SmdRules PLAIN = new SmdRules(EPSILON, .05, 1, 1_000_000_000, 1, 0, 1e9, false, 30_000);

    private static final List<JobView> FOUR =
            List.of(PsJobs.vggLike(), PsJobs.resLike(), PsJobs.lmLike(), PsJobs.asyncLike());

    private static JsonNode vectors() throws IOException {
        Path file = Path.of(System.getProperty("treadle.checkout", ".."))
                .resolve("../shared/data/smd-compass/testcases.json");
        assumeTrue(Files.exists(file), () -> "the reference vectors are not beside this checkout: " + file);
        return new ObjectMapper().readTree(file.toFile());
    }

    @TestFactory
    Stream<DynamicTest> agreesWithEach() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        vectors().fields().forEachRemaining(entry -> {
            String name = entry.getKey();
            JsonNode expected = entry.getValue();
            if (name.equals("SMD-T1")) {
                tests.add(dynamicTest(name, () -> oneLayer(expected)));
            } else if (name.startsWith("SMD-T2")) {
                tests.add(dynamicTest(
                        name, () -> threeLayers(expected, name.endsWith("none") ? Overlap.NONE : Overlap.WAIT_FREE)));
            } else if (name.equals("SMD-T3")) {
                FOUR.forEach(
                        job -> tests.add(dynamicTest(name + " " + job.id(), () -> known(expected.get(job.id()), job))));
                assertEquals(FOUR.size(), expected.size());
            } else if (name.startsWith("SMD-T4")) {
                tests.add(dynamicTest(name, () -> four(expected)));
            } else if (name.startsWith("MKP")) {
                tests.add(dynamicTest(name, () -> knapsack(expected)));
            }
        });
        assertEquals(1 + 2 + 4 + 3 + 5, tests.size());
        return tests.stream();
    }

    private static void oneLayer(JsonNode expected) {
        LayeredPsModel model = KnownPsModels.oneLayer();
        JsonNode table = expected.get("table");
        assertEquals(28, table.size(), "each size of 8 tasks at most");
        table.fields().forEachRemaining(entry -> {
            String[] size = entry.getKey().split(",");
            assertEquals(
                    entry.getValue().doubleValue(),
                    model.iterationSeconds(Integer.parseInt(size[0]), Integer.parseInt(size[1])),
                    CLOSE,
                    entry.getKey());
        });
        ResourceVector one = ResourceVector.of(0, 1, 0);
        Utility utility = new Utility(10, .05 * 3600, OptionalDouble.of(110 / 3600.0));
        JobView job = PsJobs.job("t1", model, 100, one, one, one.times(8), 8, utility);
        sizes(expected, job);
        assertEquals(
                expected.get("util").doubleValue(), utility.at(best(expected).seconds()), CLOSE);
    }

    private static void threeLayers(JsonNode expected, Overlap overlap) {
        LayeredPsModel model = KnownPsModels.threeLayers(overlap);
        assertEquals(expected.get("t42").doubleValue(), model.iterationSeconds(4, 2), CLOSE);
        assertEquals(expected.get("tl").doubleValue(), model.iterationSeconds(4, 2), CLOSE);
        ResourceVector worker = ResourceVector.of(1, 4, 0);
        ResourceVector server = ResourceVector.of(0, 2, 0);
        sizes(expected, PsJobs.job("t2", model, 1000, worker, server, ResourceVector.of(8, 64, 0), 8, Utility.UNKNOWN));
    }

    private static void known(JsonNode expected, JobView job) {
        LayeredPsModel model = job.sizing().model().orElseThrow();
        assertEquals(expected.get("t_1_1").doubleValue(), model.iterationSeconds(1, 1), CLOSE);
        assertEquals(expected.get("t_8_4").doubleValue(), model.iterationSeconds(8, 4), CLOSE);
        sizes(expected, job);
        assertEquals(
                expected.get("u").doubleValue(),
                job.sizing().utility().at(best(expected).seconds()),
                CLOSE);
    }

    private record Best(double seconds, PsSize size) {}

    private static Best best(JsonNode expected) {
        return best(expected, "best");
    }

    private static Best best(JsonNode expected, String by) {
        JsonNode best = expected.get(by);
        return new Best(
                best.get(0).doubleValue(),
                new PsSize(best.get(1).intValue(), best.get(2).intValue()));
    }

    /** By looking at all sizes, by the sum of ratios, and by that before it is rounded. */
    private static void sizes(JsonNode expected, JobView view) {
        PsJob job = PsJob.of(view, 0);
        PsSize all = new Enumeration().size(job, job.cap()).orElseThrow();
        assertEquals(best(expected).size(), all);
        assertEquals(best(expected).seconds(), job.secondsLeft(all), CLOSE * job.secondsLeft(all));
        SumOfRatios ratios = new SumOfRatios(EPSILON);
        PsSize found = ratios.size(job, job.cap()).orElseThrow();
        assertEquals(best(expected, "sor").size(), found);
        assertEquals(best(expected, "sor").seconds(), job.secondsLeft(found), CLOSE * job.secondsLeft(found));
        if (expected.has("sor_cont")) {
            double seconds = view.progress().samplesTotal()
                    / ratios.continuousRate(job, job.cap()).orElseThrow();
            double reference = expected.get("sor_cont").doubleValue();
            assertEquals(reference, seconds, NEAR * reference);
        }
    }

    private static void four(JsonNode expected) {
        JsonNode room = expected.get("C");
        ResourceVector capacity = ResourceVector.of(
                room.get(0).intValue(), room.get(1).intValue(), room.get(2).intValue());
        Pool pool = PsPools.pool(capacity, 0, FOUR);
        double plain = expected.get("smd_v").doubleValue();
        Admission smd = SmdChooser.plain(PLAIN).choose(pool);
        assertChosen(expected.get("smd"), plain, smd);
        // What ranks late jobs, a millionth of the weights, is part of it.
        assertEquals(
                expected.get("lp_ub").doubleValue(),
                smd.certificate().orElseThrow().bound(),
                2e-4);
        assertEquals(plain, worth(SmdChooser.exact(PLAIN).choose(pool)), CLOSE);
        assertChosen(expected.get("esw").get(0), expected.get("esw").get(1).doubleValue(), new Esw().choose(pool));
        assertChosen(
                expected.get("optimus").get(0),
                expected.get("optimus").get(1).doubleValue(),
                new Optimus().choose(pool));
        menu(expected, new MenuChooser(PLAIN, Profit.WORTH).choose(pool));
    }

    /** The reference's menu has no trimmed size: ours is worth as much or more, of a bound that is hardly higher. */
    private static void menu(JsonNode expected, Admission menu) {
        Certificate certificate = menu.certificate().orElseThrow();
        assertTrue(worth(menu) >= expected.get("menu_v").doubleValue() - CLOSE, "worth " + worth(menu));
        assertTrue(certificate.bound() <= 1.03 * expected.get("menu_ub").doubleValue(), certificate.toString());
        assertTrue(worth(menu) <= certificate.bound(), certificate.toString());
    }

    private static void assertChosen(JsonNode sizes, double worth, Admission admission) {
        Map<String, PsSize> expected = new HashMap<>();
        sizes.fields()
                .forEachRemaining(entry -> expected.put(
                        entry.getKey(),
                        new PsSize(
                                entry.getValue().get(0).intValue(),
                                entry.getValue().get(1).intValue())));
        assertEquals(
                expected,
                admission.jobs().stream()
                        .collect(Collectors.toMap(one -> one.job().id(), Sized::size)));
        assertEquals(worth, worth(admission), CLOSE * worth);
    }

    private static double worth(Admission admission) {
        return admission.jobs().stream()
                .mapToDouble(one -> one.job().job().sizing().utility().at(one.secondsLeft()))
                .sum();
    }

    private static double[] numbers(JsonNode list) {
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = list.get(i).doubleValue();
        }
        return numbers;
    }

    /** Which items is left open: some have several best choices. */
    private static void knapsack(JsonNode expected) {
        double[][] weights = new double[expected.get("A").size()][];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = numbers(expected.get("A").get(i));
        }
        KnapsackItems items = new KnapsackItems(numbers(expected.get("U")), weights, numbers(expected.get("C")));
        double best = expected.get("opt").get(0).doubleValue();
        assertEquals(best, ExactKnapsack.solve(items, 10_000).value(), CLOSE);
        assertEquals(best, expected.get("bb").doubleValue(), CLOSE);
        assertEquals(expected.get("lp").doubleValue(), BoundedSimplex.of(items).value(), CLOSE);
        for (int guesses = 0; guesses < 2; guesses++) {
            assertEquals(
                    expected.get("fc" + guesses).get(0).doubleValue(),
                    MultiKnapsack.solvePlain(items, guesses, 1_000_000_000).value(),
                    CLOSE);
        }
        assertEquals(best, MultiKnapsack.solve(items, 1, 1_000_000_000).value(), CLOSE);
    }
}
