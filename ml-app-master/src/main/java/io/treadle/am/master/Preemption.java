// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.yarn.RmGateway;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Containers that the ResourceManager is about to take. Where workers are among them, all workers stop after a last
 * checkpoint and the containers are given back before they are killed, but for those that may leave the others, who train
 * on; else workers only keep what they have done. Guarded by the {@link JobMaster}.
 */
final class Preemption {
    private static final Logger LOG = LoggerFactory.getLogger(Preemption.class);

    private final Gang gang;
    private final CommandDesk commands;
    private final Turnover turnover;
    private final RmGateway rm;
    /** Until the workers have stopped. */
    private final Set<String> wanted = new TreeSet<>();

    Preemption(Gang gang, CommandDesk commands, Turnover turnover, RmGateway rm) {
        this.gang = gang;
        this.commands = commands;
        this.turnover = turnover;
        this.rm = rm;
    }

    /** @param epoch of the start that runs */
    void wants(Set<String> containers, int epoch) {
        List<String> ours =
                containers.stream().filter(c -> gang.slotOf(c).isPresent()).toList();
        boolean stops = commands.asks(WorkerCommand.Command.STOP);
        List<String> news = ours.stream().filter(this::isNews).toList();
        if (!ours.isEmpty() && !stops && (news.isEmpty() || turnover.mayLeave(news, epoch))) {
            turnover.leave(news, epoch);
            return;
        }
        wanted.addAll(ours);
        if (!ours.isEmpty() && !stops) {
            LOG.info("the ResourceManager wants {} back: workers are asked to stop", ours);
            commands.give(WorkerCommand.Command.STOP, gang.members());
        } else if (commands.current().isEmpty()) {
            commands.give(WorkerCommand.Command.CHECKPOINT, gang.members());
        }
    }

    /** Whether its worker is neither leaving already nor done. */
    private boolean isNews(String container) {
        return gang.slotOf(container)
                .map(slot -> slot.member)
                .filter(member -> member.leave.isEmpty() && !member.done)
                .isPresent();
    }

    /** Gives the containers back and asks for others; returns what was done, for people. */
    String giveBack() {
        for (String container : wanted) {
            gang.slotOf(container).ifPresent(slot -> {
                slot.member = null;
                rm.release(container);
                rm.ask(slot.group, 1);
            });
        }
        return "the ResourceManager wanted containers back: " + wanted;
    }

    void clear() {
        wanted.clear();
    }
}
