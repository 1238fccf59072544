// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WorkerCommand;
import java.util.Optional;

/**
 * The ApplicationMaster's answer to every call: what should be so. The runner compares it with what is and acts, so that
 * a lost or repeated answer does no harm.
 *
 * @param epoch the gang start that is wanted; a worker of an earlier one is stopped
 * @param assignment what to run; present with {@code RUN}
 * @param command what the worker is asked; empty for nothing
 * @param memory what the worker's caches are to keep to; empty before anything was asked
 * @param sizes the container's sizes, for nodes that do not write them
 */
public record Directive(
        Desired desired,
        int epoch,
        Optional<Assignment> assignment,
        Optional<WorkerCommand> command,
        Optional<MemoryLimit> memory,
        Optional<ResourcesFile> sizes) {

    /** What the runner should come to. */
    public enum Desired {
        /** No worker runs; pick a port for the epoch and wait. */
        WAIT,
        /** The epoch's worker has been started. It is not started twice. */
        RUN,
        /** No worker runs and the runner has ended. */
        EXIT
    }

    public static Directive waitFor(int epoch) {
        return new Directive(
                Desired.WAIT, epoch, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static Directive exit(int epoch) {
        return new Directive(
                Desired.EXIT, epoch, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static Directive run(int epoch, Assignment assignment) {
        return new Directive(
                Desired.RUN, epoch, Optional.of(assignment), Optional.empty(), Optional.empty(), Optional.empty());
    }

    public Directive withCommand(Optional<WorkerCommand> newCommand) {
        return new Directive(desired, epoch, assignment, newCommand, memory, sizes);
    }

    public Directive withSizes(Optional<ResourcesFile> newSizes) {
        return new Directive(desired, epoch, assignment, command, memory, newSizes);
    }

    public Directive withMemory(Optional<MemoryLimit> newMemory) {
        return new Directive(desired, epoch, assignment, command, newMemory, sizes);
    }

    public String toJson() {
        ObjectNode json = Json.object().put("desired", desired.name()).put("epoch", epoch);
        assignment.ifPresent(a -> json.set("assignment", a.toNode()));
        command.ifPresent(c -> json.put("command", c.toJson()));
        memory.ifPresent(m -> json.put("memory", m.toJson()));
        sizes.ifPresent(s -> json.put("sizes", s.toJson()));
        return json.toString();
    }

    /** @throws io.treadle.core.wire.WireFormatException if the text is no such message */
    public static Directive fromJson(String text) {
        ObjectNode json = Json.parse("directive", text);
        return new Directive(
                Json.word(json, "desired", Desired.class),
                Json.smallInteger(json, "epoch"),
                json.path("assignment") instanceof ObjectNode a
                        ? Optional.of(Assignment.fromNode(a))
                        : Optional.empty(),
                json.hasNonNull("command")
                        ? Optional.of(WorkerCommand.fromJson(Json.text(json, "command")))
                        : Optional.empty(),
                json.hasNonNull("memory")
                        ? Optional.of(MemoryLimit.fromJson(Json.text(json, "memory")))
                        : Optional.empty(),
                json.hasNonNull("sizes")
                        ? Optional.of(ResourcesFile.fromJson(Json.text(json, "sizes")))
                        : Optional.empty());
    }
}
