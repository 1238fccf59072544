// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import java.util.Locale;

/**
 * A command to a worker, in the file that {@code TREADLE_COMMAND_FILE} names (spec: {@code docs/spec/worker-contract.md}).
 *
 * @param epoch only grows; the worker answers with a progress line that carries it
 * @param deadlineMs wall-clock time by which the worker should have obeyed, ms since the epoch
 */
public record WorkerCommand(long epoch, Command command, long deadlineMs) {
    public enum Command {
        CHECKPOINT,
        STOP,
        RESCALE
    }

    public String toJson() {
        return Fields.MAPPER
                .createObjectNode()
                .put("epoch", epoch)
                .put("command", command.name().toLowerCase(Locale.ROOT))
                .put("deadlineMs", deadlineMs)
                .toString();
    }

    /** @throws WireFormatException if the text is no such record */
    public static WorkerCommand fromJson(String text) {
        Fields json = Fields.parse("worker command", text);
        return new WorkerCommand(
                json.integer("epoch", 0, Long.MAX_VALUE),
                json.word("command", Command.class),
                json.integer("deadlineMs", 0, Long.MAX_VALUE, 0));
    }
}
