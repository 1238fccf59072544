// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.simulator.files.CsvRows;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Writes {@code plan.csv}, {@code plan.json} and {@code plan.html} (docs/spec/plan-output.md). */
final class PlanFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private PlanFiles() {}

    /** @throws InputException if a file cannot be written */
    static void write(Path directory, PlanResult result) {
        try {
            Files.createDirectories(directory);
            WholeFile.write(directory.resolve("plan.csv"), out -> rows(out, result));
            WholeFile.write(directory.resolve("plan.json"), out -> JSON.writeValue(out, json(result)));
            byte[] page = PlanPage.html(result).getBytes(StandardCharsets.UTF_8);
            WholeFile.write(directory.resolve("plan.html"), out -> out.write(page));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static void rows(OutputStream bytes, PlanResult result) throws IOException {
        List<String> names = List.of(
                "nodes",
                "partition",
                "policy",
                "gpus",
                "goal",
                "figure",
                "meets",
                "chosen",
                "gpuUtilization",
                "makespanSeconds",
                "jobs",
                "perHour",
                "perMonth",
                "perJob",
                "perUsedGpuHour",
                "queue",
                "capacityPercent",
                "sureGpus",
                "capacities");
        try (CsvRows rows = new CsvRows(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), names)) {
            for (PlanResult.Curve curve : result.curves()) {
                for (Point point : curve.all()) {
                    for (Goal goal : curve.goals()) {
                        rows.add(row(result, curve, point, goal));
                    }
                }
            }
        }
    }

    private static List<Object> row(PlanResult result, PlanResult.Curve curve, Point point, Goal goal) {
        OptionalDouble figure = point.figure(goal);
        Figures figures = point.figures();
        List<Object> row = new ArrayList<>(List.of(
                point.nodes(),
                curve.partition(),
                point.policy(),
                figures == null ? "" : point.gpus(),
                goal.text(),
                text(figure),
                figure.isPresent() && goal.holds(figure.getAsDouble()),
                curve.chosen().filter(point::equals).isPresent()));
        row.addAll(
                figures == null
                        ? List.of("", "", "")
                        : List.of(
                                figures.utilization(),
                                text(OptionalDouble.of(figures.makespanSeconds())),
                                figures.jobs()));
        boolean isPriced = result.isPriced() && figures != null;
        row.addAll(
                isPriced
                        ? List.of(
                                point.perHour(),
                                PlanTable.perMonth(point),
                                text(point.perJob()),
                                text(point.perUsedGpuHour()))
                        : List.of("", "", "", ""));
        row.addAll(curve.queue().map(queue -> shares(queue, point)).orElse(List.of("", "", "", "")));
        return row;
    }

    private static List<Object> shares(String queue, Point point) {
        Shares shares = point.candidate().shares();
        Shares.Share own = shares.of(queue);
        return List.of(queue, own.percent(), own.gpus(), shares.plain());
    }

    /** Empty where there is none, or it is infinite. */
    private static String text(OptionalDouble value) {
        return value.isEmpty() || Double.isInfinite(value.getAsDouble()) ? "" : String.valueOf(value.getAsDouble());
    }

    private static ObjectNode json(PlanResult result) {
        ObjectNode plan = JSON.createObjectNode();
        plan.put("find", result.find());
        plan.put("found", result.isFound());
        plan.put("answer", result.answer());
        ArrayNode goals = plan.putArray("goals");
        result.goals().forEach(goal -> goals.add(goal.text()));
        ArrayNode chosen = plan.putArray("chosen");
        ArrayNode points = plan.putArray("points");
        for (PlanResult.Curve curve : result.curves()) {
            curve.chosen().ifPresent(point -> chosen.add(point(result, curve, point)));
            curve.all().forEach(point -> points.add(point(result, curve, point)));
        }
        return plan;
    }

    private static ObjectNode point(PlanResult result, PlanResult.Curve curve, Point point) {
        ObjectNode node = JSON.createObjectNode();
        node.put("partition", curve.partition());
        node.put("nodes", point.nodes());
        node.put("policy", point.policy());
        curve.queue().ifPresent(queue -> {
            Shares shares = point.candidate().shares();
            node.put("queue", queue);
            node.put("capacityPercent", shares.of(queue).percent());
            node.put("sureGpus", shares.of(queue).gpus());
            ObjectNode all = node.putObject("capacities");
            shares.queues().forEach(share -> all.put(share.name(), share.percent()));
        });
        node.put("meets", point.meets(curve.goals()));
        Figures figures = point.figures();
        if (figures == null) {
            node.put("trouble", point.trouble());
            return node;
        }
        node.put("gpus", point.gpus());
        ObjectNode values = node.putObject("figures");
        curve.goals().forEach(goal -> put(values, goal.text(), point.figure(goal)));
        node.put("gpuUtilization", figures.utilization());
        put(node, "makespanSeconds", OptionalDouble.of(figures.makespanSeconds()));
        node.put("jobs", figures.jobs());
        if (result.isPriced()) {
            node.put("perHour", point.perHour());
            node.put("perMonth", PlanTable.perMonth(point));
            put(node, "perJob", point.perJob());
            put(node, "perUsedGpuHour", point.perUsedGpuHour());
        }
        return node;
    }

    /** Null where there is none, or it is infinite. */
    private static void put(ObjectNode node, String name, OptionalDouble value) {
        if (value.isEmpty() || Double.isInfinite(value.getAsDouble())) {
            node.putNull(name);
        } else {
            node.put(name, value.getAsDouble());
        }
    }
}
