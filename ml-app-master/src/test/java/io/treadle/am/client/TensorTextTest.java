// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TensorTextTest {
    private static String line(String shape, String data) throws JsonProcessingException {
        return TensorText.line(new ObjectMapper()
                .readTree("{\"name\": \"y\", \"datatype\": \"INT64\", \"shape\": " + shape + ", \"data\": " + data
                        + "}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | [4] | y INT64[] 4",
                "[1] | [4] | y INT64[1] 4",
                "[3] | [4, 5, 6] | y INT64[3] 4 5 6",
                "[2, 2] | [1, 2, 3, 4] | y INT64[2, 2] [1 2] [3 4]",
                "[2, 2] | [[1, 2], [3, 4]] | y INT64[2, 2] [1 2] [3 4]",
                "[2, 2, 1] | [1, 2, 3, 4] | y INT64[2, 2, 1] [[1] [2]] [[3] [4]]",
                "[1, 4] | [1, 2, 3, 4] | y INT64[1, 4] [1 2 3 4]",
                "[0, 4] | [] | y INT64[0, 4] empty",
            })
    void rowsAreInBrackets(String shape, String data, String line) throws Exception {
        assertEquals(line, line(shape, data));
    }

    @Test
    void longOnesAreCut() throws Exception {
        String data = IntStream.range(0, 1000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        assertEquals(
                "y INT64[20, 50] ["
                        + IntStream.range(0, 32).mapToObj(String::valueOf).collect(Collectors.joining(" "))
                        + " … 968 more",
                line("[20, 50]", "[" + data + "]"));
    }
}
