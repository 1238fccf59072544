// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.query.master.DeskFigures.WorkflowFigures;
import io.treadle.am.query.wire.Message.Answered;
import io.treadle.am.query.wire.Message.Tally;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpecParser;
import io.treadle.core.query.Model;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two workflows that share a model, and a third model that nobody has asked for. */
class ModelDemandTest {
    private static final ServiceSpec SPEC = ServiceSpecParser.fromYaml(
            "demand.yaml",
            """
            models:
              shared: {file: shared.onnx}
              own: {file: own.onnx}
              unused: {file: unused.onnx}
            workflows:
              both:
                inputs: {x: "FP32[1]"}
                tasks:
                  one: {model: shared, inputs: {x: x}}
                  two: {model: own, inputs: {x: one.y}}
                outputs: {y: two.y}
              alone:
                inputs: {x: "FP32[1]"}
                tasks:
                  one: {model: shared, inputs: {x: x}}
                outputs: {y: one.y}
              idle:
                inputs: {x: "FP32[1]"}
                tasks:
                  one: {model: unused, inputs: {x: x}}
                outputs: {y: one.y}
            """);

    private final PeerTallies peers = new PeerTallies();
    private final List<Workflow> workflows = SPEC.workflows().stream()
            .map(spec -> new Workflow(
                    spec,
                    Map.of(
                            "shared", new Model(0, "shared", 1),
                            "own", new Model(1, "own", 1),
                            "unused", new Model(2, "unused", 1)),
                    new LearnedDelays(List.of())))
            .toList();

    private List<Integer> order() {
        List<WorkflowFigures> figures =
                workflows.stream().map(each -> peers.with(each.figures())).toList();
        return ModelDemand.order(workflows, new DeskFigures(0, 0, List.of(), figures, List.of()));
    }

    @Test
    void modelsOfMoreWorkComeFirstWhoeverAnswered() {
        assertEquals(List.of(), order());
        workflows.get(0).learned(0, 10, 1);
        workflows.get(0).learned(1, 25, 1);
        workflows.get(1).learned(0, 12, 1);
        assertEquals(List.of(), order());
        workflows.get(0).ended(40);
        // 10 of the shared one against 25.
        assertEquals(List.of(1, 0), order());
        workflows.get(1).ended(12);
        assertEquals(List.of(1, 0), order());
        // Now it is 10 + 2 * 12.
        peers.told("w1", new Answered(0, List.of(new Tally("alone", 1, 0, 0, List.of(12.0)))));
        assertEquals(List.of(0, 1), order());
    }
}
