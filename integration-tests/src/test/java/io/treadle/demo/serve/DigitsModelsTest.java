// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.demo.DigitsPackage;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models in the real ONNX Runtime, on images that they never saw. */
class DigitsModelsTest {
    private static final ModelSizes SMALL = new ModelSizes(300, 40, 200, 30);
    private static final long MIB = 1 << 20;

    private final Path directory;

    DigitsModelsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private DemoModels small(String name, long seed) {
        return DigitsModels.write(directory.resolve(name), DrawnDigits.of(300, 1), SMALL, seed);
    }

    @Test
    void everyWorkflowTellsDrawnDigitsApart() throws Exception {
        DemoModels models = small("models", 7);
        Digits heldOut = DrawnDigits.of(100, 2);
        try (LoadedWorkflows workflows =
                new LoadedWorkflows(models.service(ServiceShape.half(models.files(), "jit", 3)))) {
            for (WorkflowMix mix : models.mix()) {
                assertEquals(1, workflows.accuracy(mix, heldOut, mix.noisy()), 0.05, mix.workflow());
            }
            Map<String, Tensor> check = workflows.run("check", heldOut.images());
            Tensor agree = Objects.requireNonNull(check.get("agree"));
            assertEquals(List.of(100L), agree.shape());
            ByteBuffer said = agree.data();
            int agreed = 0;
            while (said.hasRemaining()) {
                agreed += said.get();
            }
            assertTrue(agreed >= 95, agreed + " of 100 agree");
            Tensor ink = Objects.requireNonNull(
                    workflows.run("describe", heldOut.images()).get("ink"));
            assertEquals(Targets.ink(heldOut)[0][0], ink.data().getFloat(), 0.1);
        }
    }

    @Test
    void theSameSeedGivesTheSameBytes() throws Exception {
        DemoModels once = small("once", 7);
        DemoModels again = small("again", 7);
        DemoModels another = small("another", 8);
        assertEquals(
                List.of("denoise", "encoder", "digit", "parity", "style", "join"),
                once.files().stream().map(ModelFile::name).toList());
        for (int i = 0; i < once.files().size(); i++) {
            byte[] bytes = Files.readAllBytes(once.files().get(i).file());
            assertEquals(bytes.length, once.files().get(i).bytes());
            assertArrayEquals(bytes, Files.readAllBytes(again.files().get(i).file()));
        }
        assertFalse(Arrays.equals(
                Files.readAllBytes(once.files().get(0).file()),
                Files.readAllBytes(another.files().get(0).file())));
    }

    @Test
    void theServiceHasRoomForHalfOfTheModelsInEachWorker() throws Exception {
        DemoModels models = small("models", 7);
        ServiceShape shape = new ServiceShape("hash", 4, 5, 600);
        try (LoadedWorkflows workflows = new LoadedWorkflows(models.service(shape))) {
            ServiceSpec service = workflows.service();
            assertEquals("digits", service.name());
            assertEquals("hash", service.policy());
            assertEquals(4, service.workers().count());
            assertEquals("root.serving", service.queue());
            assertEquals(5, service.workers().gpuMemoryMiB());
            assertEquals(5, service.workers().modelMemory(0));
            assertEquals(600, service.workers().memoryMiB());
            assertEquals(models.mix().size(), service.workflows().size());
        }
        List<ModelFile> files = List.of(file("a", 20), file("b", 20), file("c", 9));
        assertEquals(26, ServiceShape.half(files, "compass", 2).modelMemoryMiB());
        assertEquals(21, ServiceShape.half(files.subList(0, 1), "compass", 2).modelMemoryMiB());
    }

    private static ModelFile file(String name, long mebibytes) {
        return new ModelFile(name, Path.of(name), mebibytes * MIB);
    }

    @Test
    void handwritingIsReadFromModelsOfTheDemosSize() throws Exception {
        Optional<Path> file = DigitsPackage.find();
        Assumptions.assumeTrue(file.isPresent(), "no python3-sklearn, whose digits are read");
        Digits.Split split = DigitsFile.read(file.get()).split(1);
        assertEquals(1797, split.training().count() + split.heldOut().count());
        assertEquals(359, split.heldOut().count());
        DemoModels models = DigitsModels.write(directory, split.training(), ModelSizes.DEMO, 1);
        for (ModelFile model : models.files().subList(0, 5)) {
            assertTrue(model.bytes() > 8 * MIB && model.bytes() < 40 * MIB, model.toString());
        }
        try (LoadedWorkflows workflows =
                new LoadedWorkflows(models.service(ServiceShape.half(models.files(), "compass", 3)))) {
            for (WorkflowMix mix : models.mix()) {
                double accuracy = workflows.accuracy(mix, split.heldOut(), mix.noisy());
                assertTrue(accuracy >= (mix.noisy() ? 0.88 : 0.95), mix.workflow() + " " + accuracy);
            }
            WorkflowMix recognise = models.mix().get(0);
            WorkflowMix check = models.mix().get(1);
            double as = workflows.accuracy(recognise, split.heldOut(), true);
            double cleaned = workflows.accuracy(check, split.heldOut(), true);
            assertTrue(cleaned > as, "noise taken away: " + cleaned + ", left: " + as);
        }
    }
}
