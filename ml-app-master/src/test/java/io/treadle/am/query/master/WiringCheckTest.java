// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpecParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WiringCheckTest {
    private static final ServiceSpec SPEC = ServiceSpecParser.fromYaml(
            "service.yaml",
            """
            workers: {memory: 512Mi, modelMemory: 100Mi}
            models:
              encoder: {file: e.onnx}
              classifier: {file: c.onnx}
            workflows:
              recognise:
                inputs: {image: "FP32[any, any]"}
                tasks:
                  embed: {model: encoder, inputs: {x: image}}
                  classify: {model: classifier, inputs: {x: embed.y}}
                outputs: {digit: classify.label}
            """);

    private static ModelFacts model(String name, double kb, TensorSpec input, String output) {
        return new ModelFacts(
                name, kb, 1, 0, List.of(input), List.of(new TensorSpec(output, TensorType.FP32, List.of(-1L, 8L))));
    }

    private static TensorSpec floats(String name, long... shape) {
        return new TensorSpec(
                name, TensorType.FP32, java.util.Arrays.stream(shape).boxed().toList());
    }

    private static WiringCheck check(ModelFacts encoder, ModelFacts classifier) {
        return new WiringCheck(Map.of("encoder", encoder, "classifier", classifier));
    }

    private static final ModelFacts ENCODER = model("encoder", 10, floats("x", -1, 64), "y");
    private static final ModelFacts CLASSIFIER = model("classifier", 10, floats("x", -1, 8), "label");

    @Test
    void whatFitsIsNarrowedToWhatModelsTake() {
        WiringCheck check = check(ENCODER, CLASSIFIER);
        assertDoesNotThrow(() -> check.check(SPEC.workflows().get(0)));
        assertEquals(
                List.of(floats("image", -1, 64)),
                check.narrowed(SPEC.workflows().get(0)).inputs());
        assertDoesNotThrow(() -> check.checkMemory(SPEC.workers(), 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "z|64|label|task 'embed' of workflow 'recognise' gives its model 'encoder' an input 'x', which takes [z]",
                "x|64|other|workflow 'recognise' takes 'classify.label', but model 'classifier' gives [other]",
                "x|64|label|"
            })
    void whatDoesNotFitIsNamed(String input, long width, String output, String message) {
        WiringCheck check = check(
                model("encoder", 10, floats(input, -1, width), "y"),
                model("classifier", 10, floats("x", -1, 8), output));
        if (message == null) {
            assertDoesNotThrow(() -> check.check(SPEC.workflows().get(0)));
        } else {
            assertEquals(message, refusal(check));
        }
    }

    private static String refusal(WiringCheck check) {
        return String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> check.check(SPEC.workflows().get(0)))
                .getMessage());
    }

    @Test
    void shapesThatCanNeverBeAreNamed() {
        assertEquals(
                "task 'classify' of workflow 'recognise' gives its model 'classifier' FP32[-1, 8] (embed.y) as 'x',"
                        + " must be FP32[-1, 9] (-1 is any length)",
                refusal(check(ENCODER, model("classifier", 10, floats("x", -1, 9), "label"))));
    }

    @Test
    void aModelThatIsLargerThanAllMemoryIsRefused() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> check(
                        model("encoder", 200_000, floats("x", -1, 64), "y"), CLASSIFIER)
                .checkMemory(SPEC.workers(), 0));
        assertEquals(
                "model 'encoder' takes 190.7 MiB, must be at most the 100 MiB that a worker has for models.",
                String.valueOf(e.getMessage()).lines().findFirst().orElseThrow());
    }

    private static ServiceSpec.Workers workers(String text) {
        return ServiceSpecParser.fromYaml(
                        "service.yaml",
                        "workers: " + text
                                + """

                                models: {encoder: {file: e.onnx}}
                                workflows:
                                  w:
                                    inputs: {x: "FP32[1]"}
                                    tasks: {t: {model: encoder, inputs: {x: x}}}
                                    outputs: {y: t.y}
                                """)
                .workers();
    }

    @Test
    void modelsMayTakeAllOfAWholeGpuAndNoMore() {
        WiringCheck check = check(model("encoder", 10e6, floats("x", -1, 64), "y"), CLASSIFIER);
        ServiceSpec.Workers all = workers("{gpusPerWorker: 1, memory: 512Mi}");
        assertEquals(15360, all.modelMemory(15360));
        assertDoesNotThrow(() -> check.checkMemory(all, 15360));
        ServiceSpec.Workers more = workers("{gpusPerWorker: 1, memory: 512Mi, modelMemory: 20Gi}");
        assertEquals(
                "modelMemory of the workers is 20480 MiB, must be at most the 15360 MiB of a worker's GPU.\nMaybe leave it out:"
                        + " then models may take all of it.",
                assertThrows(IllegalArgumentException.class, () -> check.checkMemory(more, 15360))
                        .getMessage());
        // Where the node says nothing of its GPUs.
        assertEquals(256, all.modelMemory(0));
    }
}
