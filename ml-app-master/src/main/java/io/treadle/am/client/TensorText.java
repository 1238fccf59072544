// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Answers and workflows as people read them. */
final class TensorText {
    /** What a line shows of a tensor at most. */
    static final int MOST_VALUES = 32;

    private TensorText() {}

    /** {@code name TYPE[2, 2] [1 2] [3 4]}: rows in brackets, and how many values more there are than are shown. */
    static String line(JsonNode output) {
        List<Long> shape = new ArrayList<>();
        output.path("shape").forEach(length -> shape.add(length.asLong()));
        List<JsonNode> values = new ArrayList<>();
        long count = flatten(output.path("data"), values);
        String head =
                output.path("name").asText() + " " + output.path("datatype").asText()
                        + shape.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
        StringBuilder line = new StringBuilder(head);
        for (int i = 0; i < values.size(); i++) {
            line.append(' ')
                    .append("[".repeat(borders(shape, i)))
                    .append(values.get(i).asText())
                    .append("]".repeat(borders(shape, i + 1)));
        }
        if (count > values.size()) {
            line.append(" … ").append(count - values.size()).append(" more");
        } else if (count == 0) {
            line.append(" empty");
        }
        return line.toString();
    }

    /** How many rows, and rows of rows, begin or end before the value of this number; the whole has no brackets. */
    private static int borders(List<Long> shape, long index) {
        int borders = 0;
        long length = 1;
        for (int i = shape.size() - 1; i > 0; i--) {
            length *= Math.max(1, shape.get(i));
            if (index % length != 0) {
                break;
            }
            borders++;
        }
        return borders;
    }

    /** @return how many there are; the first of them are added to {@code values} */
    private static long flatten(JsonNode data, List<JsonNode> values) {
        long count = 0;
        for (JsonNode each : data) {
            if (each.isArray()) {
                count += flatten(each, values);
                continue;
            }
            count++;
            if (values.size() < MOST_VALUES) {
                values.add(each);
            }
        }
        return count;
    }

    /** A line for its name, and one for each input and output. */
    static String workflow(WorkflowView workflow) {
        StringBuilder text = new StringBuilder(workflow.name()).append('\n');
        workflow.inputs()
                .forEach(input -> text.append("  input   ").append(input.text()).append('\n'));
        workflow.outputs()
                .forEach(output -> text.append("  output  ").append(output).append('\n'));
        return text.toString();
    }
}
