// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.query.worker.LoadedModel;
import io.treadle.am.query.worker.ModelException;
import io.treadle.am.query.worker.NoMemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real models in the real ONNX Runtime. */
class OnnxRuntimeTest {
    private final OnnxRuntime runtime = new OnnxRuntime(1);

    private final Path directory;

    OnnxRuntimeTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private LoadedModel linear() throws IOException, ModelException {
        Path file = OnnxFile.linear(directory.resolve("linear.onnx"), new float[] {1, 2, 3, 4, 5, 6}, 3, 10, 20);
        return runtime.load("linear", file);
    }

    @Test
    void runsWithTheNumbersThatItsWeightsGive() throws Exception {
        try (LoadedModel model = linear()) {
            assertEquals(List.of(new TensorSpec("x", TensorType.FP32, List.of(-1L, 3L))), model.inputs());
            assertEquals(List.of(new TensorSpec("y", TensorType.FP32, List.of(-1L, 2L))), model.outputs());
            Tensor y = model.run(Map.of("x", Floats.of(List.of(2L, 3L), 1, 1, 1, 0, 0, 2)))
                    .get("y");
            // [1 1 1] and [0 0 2] times [[1 2] [3 4] [5 6]], and [10 20] more.
            assertEquals(List.of(19f, 32f, 20f, 32f), Floats.in(java.util.Objects.requireNonNull(y)));
            assertEquals(List.of(2L, 2L), y.shape());
        }
    }

    @Test
    void operatorsWithoutWeightsAreModelsToo() throws Exception {
        Path file = new OnnxFile()
                .input("a", -1)
                .input("b", -1)
                .node("Max", List.of("a", "b"), "most")
                .output("most", -1)
                .write(directory.resolve("max.onnx"));
        try (LoadedModel model = runtime.load("max", file)) {
            Tensor most = model.run(Map.of("a", Floats.of(List.of(3L), 1, 5, 2), "b", Floats.of(List.of(3L), 4, 0, 2)))
                    .get("most");
            assertEquals(List.of(4f, 5f, 2f), Floats.in(java.util.Objects.requireNonNull(most)));
        }
    }

    @Test
    void operatorsHaveAttributesAndNumbersMayBeWhole() throws Exception {
        Path file = new OnnxFile()
                .input("x", -1, 3)
                .constant("two", new long[] {2}, 1)
                .node("ArgMax", List.of("x"), "best", Map.of("axis", 1L, "keepdims", 0L))
                .node("Mod", List.of("best", "two"), "rest")
                .node("Equal", List.of("best", "rest"), "small")
                .output(new TensorSpec("best", TensorType.INT64, List.of(-1L)))
                .output(new TensorSpec("small", TensorType.BOOL, List.of(-1L)))
                .write(directory.resolve("best.onnx"));
        try (LoadedModel model = runtime.load("best", file)) {
            Map<String, Tensor> answer = model.run(Map.of("x", Floats.of(List.of(2L, 3L), 1, 5, 2, 0, 1, 7)));
            ByteBuffer best =
                    java.util.Objects.requireNonNull(answer.get("best")).data();
            assertEquals(List.of(1L, 2L), List.of(best.getLong(), best.getLong()));
            ByteBuffer small =
                    java.util.Objects.requireNonNull(answer.get("small")).data();
            assertEquals(List.of(1, 0), List.of((int) small.get(), (int) small.get()));
        }
    }

    @Test
    void saysWhichInputIsWrong() throws Exception {
        try (LoadedModel model = linear()) {
            assertRefused(model, Map.of(), "model 'linear' lacks its input 'x'");
            assertRefused(
                    model,
                    Map.of("x", Floats.of(List.of(1L, 2L), 1, 1)),
                    "model 'linear': 'x' has the shape [1, 2], must be [any, 3]");
            assertRefused(
                    model,
                    Map.of("x", new Tensor(TensorType.INT32, List.of(1L, 3L), ByteBuffer.allocate(12))),
                    "model 'linear': 'x' is INT32, must be FP32");
            assertRefused(
                    model,
                    Map.of("x", Floats.of(List.of(1L, 3L), 1, 1, 1), "z", Floats.of(List.of(1L), 1)),
                    "model 'linear' is given [z], must be given [x] alone");
        }
    }

    private static void assertRefused(LoadedModel model, Map<String, Tensor> inputs, String expected) {
        assertEquals(
                expected,
                assertThrows(ModelException.class, () -> model.run(inputs)).getMessage());
    }

    /** More than any machine can address: nobody's settings decide whether there is so much. */
    @Test
    void saysWhenThereIsNotTheMemoryToRun() throws Exception {
        Path file = new OnnxFile()
                .input("x", 1)
                .constant("shape", new long[] {1L << 46}, 1)
                .node("Expand", List.of("x", "shape"), "y")
                .output("y", -1)
                .write(directory.resolve("huge.onnx"));
        try (LoadedModel model = runtime.load("huge", file)) {
            String said = String.valueOf(
                    assertThrows(NoMemoryException.class, () -> model.run(Map.of("x", Floats.of(List.of(1L), 1))))
                            .getMessage());
            assertTrue(said.startsWith("model 'huge' has not the memory to run: "), said);
        }
    }

    @Test
    void knowsWhatOnnxRuntimeSaysOfMemory() {
        for (String said : List.of(
                "CUDA failure 2: out of memory ; GPU=0 ; hostname=n1 ; expr=cudaMalloc((void**)&p, size);",
                "Non-zero status code returned while running Conv node. Status Message: CUDNN_STATUS_ALLOC_FAILED",
                "CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED ; GPU=0",
                "Available memory of 1024 is smaller than requested bytes of 2048",
                "std::bad_alloc")) {
            assertTrue(MemoryWords.tellOfWant(new OrtException(said)), said);
        }
        assertFalse(MemoryWords.tellOfWant(new OrtException("axis must be in [-rank, rank-1]. input rank was 2")));
    }

    /** A model is whatever its author wrote; ONNX Runtime itself would read the file that it names. */
    @Test
    void modelThatNamesAnotherFileDoesNotGetIt() throws Exception {
        Files.writeString(directory.resolve("container_tokens"), "HDTS-secret");
        Path file = new OnnxFile()
                .elsewhere("stolen", "container_tokens", 11)
                .node("Identity", List.of("stolen"), "answer")
                .output(new TensorSpec("answer", TensorType.INT8, List.of(11L)))
                .write(directory.resolve("thief.onnx"));
        String said = String.valueOf(assertThrows(ModelException.class, () -> runtime.load("thief", file))
                .getMessage());
        assertTrue(
                said.startsWith("model 'thief': " + file
                        + " is no model that can be run: its tensor 'stolen' has its data in another file"),
                said);
    }

    @Test
    void saysWhichFileIsNoModel() throws Exception {
        Path missing = directory.resolve("missing.onnx");
        assertEquals(
                "model 'm': there is no file " + missing + " that can be read",
                assertThrows(ModelException.class, () -> runtime.load("m", missing))
                        .getMessage());
        Path text = Files.writeString(directory.resolve("text.onnx"), "no model at all");
        String said = String.valueOf(assertThrows(ModelException.class, () -> runtime.load("m", text))
                .getMessage());
        assertTrue(said.startsWith("model 'm': " + text + " is no model that can be run: "), said);
        assertEquals(1, said.lines().count());
        Path unknown = new OnnxFile()
                .input("x", -1)
                .node("Guess", List.of("x"), "y")
                .output("y", -1)
                .write(directory.resolve("guess.onnx"));
        said = String.valueOf(assertThrows(ModelException.class, () -> runtime.load("m", unknown))
                .getMessage());
        assertTrue(said.contains("Guess"), said);
    }
}
