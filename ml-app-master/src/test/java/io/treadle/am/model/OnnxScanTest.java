// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.model;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.onnx.OnnxFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are those of onnx.proto. */
class OnnxScanTest {
    private static final int FLIPS = 20_000;

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }

    private static byte[] field(int number, byte[]... parts) {
        byte[] value = join(parts);
        return join(varint((long) number << 3 | 2), varint(value.length), value);
    }

    private static byte[] text(int number, String value) {
        return field(number, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] number(int number, long value) {
        return join(varint((long) number << 3), varint(value));
    }

    /** Of one dimension; its data is 91 bytes of another file. */
    private static byte[] tensor() {
        return join(
                number(1, 91),
                number(2, 3),
                field(13, text(1, "location"), text(2, "container_tokens")),
                field(13, text(1, "length"), text(2, "91")),
                number(14, 1),
                text(8, "w"));
    }

    private static String refusal(byte[] model) {
        return String.valueOf(assertThrows(UnsafeModelException.class, () -> OnnxScan.check(ByteBuffer.wrap(model)))
                .getMessage());
    }

    /** What leads from the model to a message with a tensor in it, field by field from the outside. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "7 5", // a graph's initializer
                "7 15 1", // values of a sparse one
                "7 15 2", // and its indices
                "7 1 5 5", // an operator's attribute, as that of Constant
                "7 1 5 10", // one of several tensors
                "7 1 5 22 1", // a sparse one
                "7 1 5 23 2",
                "7 1 5 6 5", // the body of a loop or a condition
                "7 1 5 11 1 5 5",
                "25 7 5 5", // a function of the model's own
                "25 11 5",
                "20 1 5", // training
                "20 2 1 5 6 15 1",
            })
    void tensorWhoseDataIsInAnotherFileIsFoundWhereverItIs(String path) {
        byte[] inner = tensor();
        String[] fields = path.split(" ", -1);
        for (int i = fields.length - 1; i >= 0; i--) {
            // Behind others, as it may be anywhere.
            inner = join(text(3, "another"), field(Integer.parseInt(fields[i]), inner));
        }
        assertEquals(
                "its tensor 'w' has its data in another file, must have it in the model's own."
                        + "\nMaybe save it as one file: onnx.save(onnx.load(path), other).",
                refusal(join(number(1, 8), inner)));
    }

    @Test
    void halfOfWhatNamesAnotherFileIsEnough() {
        assertTrue(refusal(field(7, field(5, number(14, 1)))).startsWith("its tensor '' has its data"));
        assertTrue(refusal(field(7, field(5, field(13)))).startsWith("its tensor '' has its data"));
        // The last of several counts for the readers of this format.
        assertTrue(refusal(field(7, field(5, number(14, 0), number(14, 1)))).startsWith("its tensor ''"));
        assertDoesNotThrow(() -> OnnxScan.check(ByteBuffer.wrap(field(7, field(5, number(14, 0))))));
        // What tensors hold is theirs: bytes that read as such fields are weights.
        assertDoesNotThrow(() -> OnnxScan.check(ByteBuffer.wrap(field(7, field(5, field(9, tensor()))))));
    }

    @Test
    void otherWaysToOtherFiles() {
        assertTrue(refusal(field(7, field(1, text(4, "EPContext")))).startsWith("its operator EPContext has"));
        assertTrue(refusal(join(new byte[4], "ORTM".getBytes(StandardCharsets.US_ASCII), new byte[8]))
                .startsWith("it is in ONNX Runtime's own format"));
    }

    @Test
    void whatIsNoModelIsRefusedWithItsPlace() {
        assertEquals("it is no ONNX file, or was cut off: what stands at byte 1 cannot be", refusal(new byte[] {0x6e}));
        assertTrue(refusal(join(varint(7 << 3 | 2), varint(1000))).contains("cut off"));
        assertTrue(refusal(join(varint(7 << 3 | 2), varint(-1L))).contains("cut off"));
        assertTrue(refusal(varint(7 << 3 | 3)).contains("cut off"), "a group");
        assertTrue(refusal(new byte[] {(byte) 0x80}).contains("cut off"));
        byte[] endless = new byte[20];
        Arrays.fill(endless, (byte) 0xff);
        assertTrue(refusal(endless).contains("cut off"));
        byte[] deep = tensor();
        for (int i = 0; i < 60; i++) {
            deep = field(1, field(5, field(6, deep)));
        }
        assertTrue(refusal(field(7, deep)).contains("more than 100 deep"));
    }

    @Test
    void namesOfTensorsCommandNoTerminal() {
        String said = refusal(field(7, field(5, number(14, 1), text(8, "\u001b]0;x\u0007" + "n".repeat(1000)))));
        assertTrue(said.startsWith("its tensor '\\x1b]0;x\\x07nnn"), said);
        assertTrue(said.length() < 300, said);
    }

    @Test
    void modelWithItsWeightsIsAModel(@TempDir Path directory) throws Exception {
        OnnxScan.check(model(directory));
    }

    private static Path model(Path directory) throws IOException {
        return new OnnxFile()
                .input("x", -1, 3)
                .constant("w", new float[3000], 3, 1000)
                .node("MatMul", List.of("x", "w"), "y")
                .node("ArgMax", List.of("y"), "best", Map.of("axis", 1L))
                .output("y", -1, 1000)
                .write(directory.resolve("model.onnx"));
    }

    @Test
    void tooLargeIsSaid(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("large.onnx");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(3L << 30);
        }
        assertEquals(
                "it has 3221225472 bytes, an ONNX file has at most 2 GiB",
                assertThrows(UnsafeModelException.class, () -> OnnxScan.check(file))
                        .getMessage());
    }

    @Test
    void brokenModelsAreRefusedOrNot(@TempDir Path directory) throws IOException {
        byte[] model = Files.readAllBytes(model(directory));
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < FLIPS; i++) {
            byte[] broken = model.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                // Most of the file is weights, in which nothing is broken.
                int at = random.nextInt(4) == 0 ? random.nextInt(broken.length) : random.nextInt(160);
                broken[random.nextBoolean() ? at : broken.length - 1 - at] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                OnnxScan.check(ByteBuffer.wrap(broken));
            } catch (UnsafeModelException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", model " + i, e);
            }
        }
        assertTrue(refused > FLIPS / 20, "seed " + seed + ": " + refused + " refused");
    }
}
