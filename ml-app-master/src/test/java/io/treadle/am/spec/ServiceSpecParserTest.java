// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.spec.ServiceSpec.ModelSpec;
import io.treadle.am.spec.ServiceSpec.Source;
import io.treadle.am.spec.ServiceSpec.TaskSpec;
import io.treadle.am.spec.ServiceSpec.Workers;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.QueueOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceSpecParserTest {
    private static final String SERVICE =
            """
            name: digits
            queue: root.serving
            policy: jit
            eviction: lru
            queueOrder: fifo
            workers: {count: 3, min: 1, max: 6, gpuMemory: 2Gi, vcores: 2, memory: 4Gi, modelMemory: 1500Mi}
            models:
              encoder: {file: hdfs:///models/encoder.onnx, memory: 40Mi}
              classifier: {file: classifier.onnx}
            workflows:
              recognise:
                inputs: {image: "FP32[any, 64]", top: "INT64[]"}
                tasks:
                  classify: {model: classifier, inputs: {x: embed.y, k: top}}
                  embed: {model: encoder, inputs: {x: image}}
                outputs: {digit: classify.label, embedding: embed.y}
            """;

    private static ServiceSpec read(String text) {
        return ServiceSpecParser.fromYaml("service.yaml", text);
    }

    private static Source of(String task, String tensor) {
        return new Source(Optional.of(task), tensor);
    }

    @Test
    void readsAllThatCanBeSaid() {
        ServiceSpec spec = read(SERVICE);
        assertEquals("digits", spec.name());
        assertEquals("root.serving", spec.queue());
        assertEquals("jit", spec.policy());
        assertEquals(Eviction.LRU, spec.eviction());
        assertEquals(Optional.of(QueueOrder.FIFO), spec.order());
        assertEquals(new Workers(3, 1, 6, 0, 2048, 2, 4096, OptionalLong.of(1500)), spec.workers());
        assertEquals(
                List.of(
                        new ModelSpec("encoder", "hdfs:///models/encoder.onnx", OptionalLong.of(40)),
                        new ModelSpec("classifier", "classifier.onnx", OptionalLong.empty())),
                spec.models());
        assertEquals(
                List.of(new WorkflowSpec(
                        "recognise",
                        List.of(
                                new TensorSpec("image", TensorType.FP32, List.of(-1L, 64L)),
                                new TensorSpec("top", TensorType.INT64, List.of())),
                        // In the order in which they can run.
                        List.of(
                                new TaskSpec("embed", "encoder", Map.of("x", new Source(Optional.empty(), "image"))),
                                new TaskSpec(
                                        "classify",
                                        "classifier",
                                        Map.of("x", of("embed", "y"), "k", new Source(Optional.empty(), "top")))),
                        Map.of("digit", of("classify", "label"), "embedding", of("embed", "y")))),
                spec.workflows());
        assertEquals("embed.y", of("embed", "y").toString());
    }

    @Test
    void fillsInWhatIsUsual() {
        ServiceSpec spec = ServiceSpecParser.fromYaml(
                "dir/my-service.yaml",
                """
                models: {m: {file: m.onnx}}
                workflows: {w: {inputs: {a: "FP32[3]"}, tasks: {t: {model: m, inputs: {x: a}}}, outputs: {y: t.y}}}
                """);
        assertEquals("my-service", spec.name());
        assertEquals("", spec.queue());
        assertEquals("compass", spec.policy());
        assertEquals(Eviction.LOOK_AHEAD, spec.eviction());
        assertEquals(Optional.empty(), spec.order());
        assertEquals(new Workers(1, 1, 1, 0, 0, 1, 1024, OptionalLong.empty()), spec.workers());
        assertEquals(5, spec.maxAmAttempts());
        assertEquals(1024, spec.appMaster().memoryMiB());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "policy: jit|policy: luck|service.yaml:3: field 'policy' is 'luck', must be one of compass, jit, heft, hash.",
                "eviction: lru|eviction: random|service.yaml:4: field 'eviction' is 'random', must be one of look-ahead, lru, fifo.",
                "queueOrder: fifo|queueOrder: lifo|service.yaml:5: field 'queueOrder' is 'lifo', must be one of fifo, least-left.",
                "min: 1|min: 4|service.yaml:6: field 'min' of field 'workers' is 4, must be at most the count, which is 3.",
                "max: 6|max: 2|service.yaml:6: field 'max' of field 'workers' is 2, must be at least the count, which is 3.",
                "modelMemory: 1500Mi|modelMemory: 3Gi|service.yaml:6: field 'modelMemory' of field 'workers' is '3Gi', must be an amount from 1 to 2048 MiB",
                "gpuMemory: 2Gi|gpuMemory: 2Gi, gpusPerWorker: 1|service.yaml:6: field 'gpuMemory' of field 'workers' is given beside gpusPerWorker: 1, must stand alone.",
                "model: encoder|model: encodr|service.yaml:15: field 'model' of task 'embed' of field 'tasks' of workflow 'recognise' of field 'workflows' is 'encodr', must be one of the service's models.\\nMaybe 'encoder'.",
                "{x: image}|{x: imagge}|is 'imagge', must be an input of the workflow or TASK.OUTPUT.\\nMaybe 'image'.",
                "x: embed.y|x: embad.y|is 'embad.y', must be an output of a task of the workflow, TASK.OUTPUT.\\nMaybe 'embed.y'.",
                "embedding: embed.y|embedding: image|is the query's own input 'image', must be an output of a task.",
                "{x: image}|{x: classify.label}|cannot be: workflow 'recognise' has a circle: 'classify' waits for 'embed' waits for 'classify', must have none.",
                "INT64[]|INT65[]|is 'INT65[]', must be a type and lengths, such as FP32[1, 64] or INT64[any]; types are BOOL, UINT8",
                "[any, 64]|[any, -1]|has the length '-1', must be a whole number or any.",
                "embed: {model|4embed: {model|has no name that can be used: a letter, then at most 62 letters, digits, '-' and '_'.",
                "file: classifier.onnx|fil: classifier.onnx|unknown field 'fil' in model 'classifier' of field 'models'.\\nMaybe 'file'.",
                "gpuMemory: 2Gi|gpuMemory: 2Gi, container: {image: a, runtime: runc}|field 'gpuMemory' of field 'workers' asks for GPUs, but YARN's runc containers cannot be given any.",
                "models:|modells:|unknown field 'modells' in the service."
            })
    void saysWhatIsWrongWhereAndWhatWouldBeRight(String from, String to, String expected) {
        String text = SERVICE.replace(from, to);
        String said = assertThrows(JobSpecException.class, () -> read(text)).getMessage();
        String wanted = expected.replace("\\n", "\n");
        if (!said.contains(wanted)) {
            assertEquals(wanted, said);
        }
    }

    @Test
    void saysWhatIsMissing() {
        String said =
                assertThrows(JobSpecException.class, () -> read("name: x")).getMessage();
        assertEquals(
                "service.yaml:1: field 'models' of the service is missing.\nMaybe 'models: {classifier: {file:"
                        + " classifier.onnx}}'.",
                said);
        assertThrows(JobSpecException.class, () -> read("models: {}\nworkflows: {}"));
        assertThrows(JobSpecException.class, () -> read("models: {m: {file: m.onnx}}\nworkflows: {}"));
        assertThrows(
                JobSpecException.class,
                () -> read("models: {m: {file: m.onnx}}\n"
                        + "workflows: {w: {inputs: {a: \"FP32[3]\"}, tasks: {}, outputs: {y: t.y}}}"));
    }
}
