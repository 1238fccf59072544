// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * A command to a worker, in the file that {@code TREADLE_COMMAND_FILE} names (spec: {@code docs/spec/worker-contract.md}).
 *
 * @param epoch only grows; the worker answers with a progress line that carries it
 * @param deadlineMs wall-clock time by which the worker should have obeyed, ms since the epoch
 * @param batchSize of {@code BATCH}: samples of each gradient pass of the worker; 0 for as many as it would take by itself
 */
public record WorkerCommand(long epoch, Command command, long deadlineMs, long batchSize) {
    public enum Command {
        CHECKPOINT,
        STOP,
        RESCALE,
        /** Train on with passes of another size, and as many samples in a step as before. */
        BATCH
    }

    /** Any but {@code BATCH}. */
    public WorkerCommand(long epoch, Command command, long deadlineMs) {
        this(epoch, command, deadlineMs, 0);
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER
                .createObjectNode()
                .put("epoch", epoch)
                .put("command", command.name().toLowerCase(Locale.ROOT))
                .put("deadlineMs", deadlineMs);
        if (command == Command.BATCH) {
            json.put("batchSize", batchSize);
        }
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static WorkerCommand fromJson(String text) {
        Fields json = Fields.parse("worker command", text);
        return new WorkerCommand(
                json.integer("epoch", 0, Long.MAX_VALUE),
                json.word("command", Command.class),
                json.integer("deadlineMs", 0, Long.MAX_VALUE, 0),
                json.integer("batchSize", 0, ProgressLine.MOST, 0));
    }
}
