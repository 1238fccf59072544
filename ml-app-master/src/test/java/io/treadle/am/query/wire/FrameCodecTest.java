// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.query.onnx.Floats;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameCodecTest {
    private static final FrameCodec CODEC = new FrameCodec(1 << 20);

    private static final List<Message> ALL = List.of(
            new Message.Hello(1, "s", "master"),
            new Message.Fetch(List.of(3, 1)),
            new Message.Fetched(),
            new Message.Setup(1e6, "lru", "fifo", List.of(new Message.ModelFile(3, "m", 1.5, "/tmp/m"))),
            new Message.Measure(List.of(new Message.ModelFile(3, "m", 1.5, "/tmp/m"))),
            new Message.Measured(
                    3, "", 1.5, 2, 15360, List.of(new TensorSpec("x", TensorType.FP32, List.of(-1L, 2L))), List.of()),
            new Message.Ready(),
            new Message.Run("q", 1, "t", 3, 2.5, 9, 7, List.of("x", "z")),
            new Message.Feed("q", 1),
            new Message.Pass("q", 1, "host", 99, 2, Map.of("x", "y")),
            new Message.Return("q", 1, List.of("y")),
            new Message.Forget("q"),
            new Message.State(1.5, List.of(1, 2), 3, 4, 5, 6, new Message.Done(6, 7, 8.5, 9.5)),
            new Message.Ended("q", 1, "why", true, 1, 2, 3, Map.of("y", 0.5)),
            new Message.Returned("q", 1),
            new Message.Lost("q", 1, 2, true, "why"),
            new Message.Loaded(3, 1.5),
            new Message.Open(
                    "n",
                    "models: {}",
                    Map.of("ann", "0123456789abcdef"),
                    List.of(new Message.Measured(0, "", 1.5, 2, 0, List.of(), List.of())),
                    List.of(new Message.Learned("w", 1, 2.5, 0.5))),
            new Message.Listens(4001),
            new Message.Peers(List.of(new Message.Peer("n1", 4000, 4001)), true),
            new Message.Answered(2, List.of(new Message.Tally("w", 5, 1, 2, List.of(1.5, 2.5)))));

    private static byte[] bytes(Frame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CODEC.write(frame, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Frame frame(byte[] bytes) throws IOException {
        return CODEC.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    void everyMessageComesBackAsItWas() throws IOException {
        assertEquals(Message.class.getPermittedSubclasses().length, ALL.size());
        for (Message message : ALL) {
            assertEquals(message, frame(bytes(Frame.of(message))).message());
        }
    }

    @Test
    void tensorsComeBackAsTheyWere() throws IOException {
        Tensor x = Floats.of(List.of(2L, 1L), 1.5f, -2);
        Tensor none = Floats.of(List.of(0L));
        Map<String, Tensor> back = frame(bytes(new Frame(new Message.Feed("q", 1), Map.of("x", x, "none", none))))
                .tensors();
        assertEquals(2, back.size());
        Tensor again = Objects.requireNonNull(back.get("x"));
        assertEquals(List.of(1.5f, -2f), Floats.in(again));
        assertEquals(x.shape(), again.shape());
        assertEquals(x.type(), again.type());
        assertEquals(0, Objects.requireNonNull(back.get("none")).size());
    }

    @Test
    void framesFollowEachOther() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Message message : ALL) {
            CODEC.write(Frame.of(message), new DataOutputStream(bytes));
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        for (Message message : ALL) {
            assertEquals(message, CODEC.read(in).message());
        }
        assertThrows(EOFException.class, () -> CODEC.read(in));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|a message is of the kind , must be one of [Answered, Ended, Feed, Fetch, Fetched, Forget,",
                "{\"kind\":\"Guess\"}|a message is of the kind \"Guess\", must be one of",
                "{\"kind\":\"Feed\",\"body\":{\"query\":\"q\"}}|a head is no message: ",
                "{\"kind\":\"Feed\",\"body\":{\"query\":null,\"task\":1}}|a head is no message: ",
                "{\"kind\":\"Feed\",\"body\":{\"query\":\"q\",\"task\":\"x\"}}|a head is no message: ",
                "{\"kind\":\"Feed\",\"body\":7}|a head is no message: ",
                "{\"kind\":\"Feed\"}|a head is no message: ",
                "[]|a message is of the kind ",
                "no json|a head is no message: ",
                "{\"kind\":\"Feed\",\"body\":{\"query\":\"q\",\"task\":1},\"tensors\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1],\"bytes\":4}]}|a tensor has 4 bytes, 0 are left",
                "{\"kind\":\"Feed\",\"body\":{\"query\":\"q\",\"task\":1},\"tensors\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1],\"bytes\":0}]}|a tensor has 0 bytes, must have 4 for FP32 of the shape [1]",
                "{\"kind\":\"Feed\",\"body\":{\"query\":\"q\",\"task\":1},\"tensors\":[{\"name\":\"x\",\"datatype\":\"FP99\",\"shape\":[],\"bytes\":0}]}|a tensor has the datatype \"FP99\""
            })
    void saysWhatIsNoMessage(String head, String expected) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] text = head.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.writeInt(0);
        out.write(text);
        String said = String.valueOf(assertThrows(WireException.class, () -> frame(bytes.toByteArray()))
                .getMessage());
        assertTrue(said.startsWith(expected), said);
    }

    @Test
    void refusesWhatIsTooLong() throws IOException {
        FrameCodec small = new FrameCodec(7);
        Frame frame = new Frame(new Message.Feed("q", 1), Map.of("x", Floats.of(List.of(2L), 1, 2)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThrows(WireException.class, () -> small.write(frame, new DataOutputStream(bytes)));
        assertEquals(0, bytes.size());
        assertThrows(
                WireException.class, () -> small.read(new DataInputStream(new ByteArrayInputStream(bytes(frame)))));
    }

    /** Whatever bytes come: a frame, the end, or one message that says what is wrong. */
    @RepeatedTest(20)
    void bytesAtRandomBreakNothing(RepetitionInfo info) throws IOException {
        Random random = new Random(info.getCurrentRepetition());
        byte[] good = bytes(new Frame(ALL.get(random.nextInt(ALL.size())), Map.of("x", Floats.of(List.of(2L), 1, 2))));
        for (int i = 0; i < 500; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextBoolean() ? good.length : random.nextInt(good.length + 1));
            for (int flips = random.nextInt(4); flips > 0 && bad.length > 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            try {
                frame(bad);
            } catch (WireException | EOFException e) {
                assertTrue(e instanceof EOFException
                        || !String.valueOf(e.getMessage()).isEmpty());
            }
        }
    }
}
