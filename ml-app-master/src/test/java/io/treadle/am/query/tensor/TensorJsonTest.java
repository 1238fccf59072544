// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TensorJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Map<String, Tensor> read(String text) throws Exception {
        return TensorJson.read(JSON.readTree(text));
    }

    private static String write(Map<String, Tensor> tensors) throws Exception {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            TensorJson.write(tensors, out);
        }
        return text.toString();
    }

    @Test
    void readsNumbersNestedOrFlat() throws Exception {
        String flat = "[{\"name\":\"x\",\"shape\":[2,2],\"datatype\":\"FP32\",\"data\":[1,2.5,-3,4]}]";
        String nested = "[{\"name\":\"x\",\"shape\":[2,2],\"datatype\":\"FP32\",\"data\":[[1,2.5],[-3,4]],\"more\":1}]";
        assertEquals(write(read(flat)), write(read(nested)));
        assertEquals(
                "[{\"name\":\"x\",\"shape\":[2,2],\"datatype\":\"FP32\",\"data\":[1.0,2.5,-3.0,4.0]}]",
                write(read(nested)));
    }

    @ParameterizedTest
    @EnumSource(TensorType.class)
    void everyTypeComesBackAsItWas(TensorType type) throws Exception {
        String data =
                switch (type) {
                    case BOOL -> "[true,false]";
                    case UINT8 -> "[0,255]";
                    case INT8 -> "[-128,127]";
                    case INT32 -> "[-2147483648,2147483647]";
                    case INT64 -> "[-9223372036854775808,9223372036854775807]";
                    case FP32 -> "[0.1,3.4028235E38]";
                    case FP64 -> "[0.1,1.7976931348623157E308]";
                };
        String text = "[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"" + type + "\",\"data\":" + data + "}]";
        assertEquals(text, write(read(text)));
    }

    @Test
    void aSingleNumberAndNoneAreTensorsToo() throws Exception {
        String text = "[{\"name\":\"x\",\"shape\":[],\"datatype\":\"INT64\",\"data\":[7]},"
                + "{\"name\":\"y\",\"shape\":[0,3],\"datatype\":\"FP32\",\"data\":[]}]";
        assertEquals(text, write(read(text)));
    }

    @Test
    void whatIsNoNumberInJsonIsNull() throws Exception {
        ByteBuffer data = ByteBuffer.allocate(8).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        data.putFloat(Float.NaN).putFloat(Float.NEGATIVE_INFINITY).flip();
        assertEquals(
                "[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP32\",\"data\":[null,null]}]",
                write(Map.of("x", new Tensor(TensorType.FP32, List.of(2L), data))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "7|is 7, must be a list of tensors",
                "[{\"shape\":[1]}]|has a tensor whose name is missing, must be a text",
                "[{\"name\":\"x\",\"datatype\":\"FP16\"}]|'x' has the datatype \"FP16\", must be one of BOOL, UINT8, INT8, INT32, INT64, FP32, FP64",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":3}]|'x' has the shape 3, must be a list of lengths",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1.5]}]|'x' has the shape [1.5], must be a list of lengths",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[-1],\"data\":[]}]|'x' has the shape [-1], must have lengths of 0 or more",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[99999,99999,99999],\"data\":[]}]|'x' has the shape [99999, 99999, 99999], must hold fewer than 2147483647 numbers",
                "[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[900000000],\"data\":[]}]|'x' has 0 numbers, must have 900000000 for the shape [900000000]",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[3],\"data\":[1,2]}]|'x' has 2 numbers, must have 3 for the shape [3]",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1],\"data\":[\"a\"]}]|'x' holds \"a\", must hold FP32 alone",
                "[{\"name\":\"x\",\"datatype\":\"UINT8\",\"shape\":[1],\"data\":[256]}]|'x' holds 256, must hold UINT8 alone",
                "[{\"name\":\"x\",\"datatype\":\"INT32\",\"shape\":[1],\"data\":[1.5]}]|'x' holds 1.5, must hold INT32 alone",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1]}]|'x' has the data missing, must be a list of numbers",
                "[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[0],\"data\":[]},{\"name\":\"x\"}]|has 'x' twice, must have it once"
            })
    void saysWhatIsWrong(String text, String expected) {
        assertEquals(
                expected, assertThrows(TensorException.class, () -> read(text)).getMessage());
    }
}
