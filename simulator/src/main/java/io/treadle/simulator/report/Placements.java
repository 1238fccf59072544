// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;

/** Values that more than one file holds, as JSON. */
final class Placements {
    private Placements() {}

    /** Seconds with no more digits than they need. */
    static void writeSeconds(JsonGenerator out, String name, long ms) throws IOException {
        out.writeFieldName(name);
        if (ms % 1000 == 0) {
            out.writeNumber(ms / 1000);
        } else {
            out.writeNumber(BigDecimal.valueOf(ms, 3).stripTrailingZeros());
        }
    }

    /** {@code {"n1":{"gpus":[0,1]},"n2":{"gpus":[3],"parts":250}}}; {@code parts} in thousandths of a GPU, below 1,000. */
    static void write(JsonGenerator out, RunLog log, Slots slots, int run) throws IOException {
        out.writeStartObject();
        for (int piece = log.firstPiece(run); piece < log.endPiece(run); ) {
            int node = log.node(piece);
            int parts = log.parts(piece);
            out.writeObjectFieldStart(log.nodes().name(node));
            out.writeArrayFieldStart("gpus");
            while (piece < log.endPiece(run) && log.node(piece) == node) {
                for (int i = 0; i < slots.count(piece); i++) {
                    out.writeNumber(slots.slot(piece, i));
                }
                piece++;
            }
            out.writeEndArray();
            if (parts > 0 && parts < RunLog.CARD) {
                out.writeNumberField("parts", parts);
            }
            out.writeEndObject();
        }
        out.writeEndObject();
    }
}
