// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Adds up what the GPUs of the jobs of queues with capacities draw, each queue with those below it. */
final class QueueMeter {
    private static final class Account {
        private final String name;
        private final Optional<Double> budgetWatts;
        private double joules;
        private double before;
        private double mostWatts;

        Account(String name, Optional<Double> budgetWatts) {
            this.name = name;
            this.budgetWatts = budgetWatts;
        }
    }

    private final List<Account> accounts = new ArrayList<>();
    /** By queue of the trace: those that its jobs count to. */
    private final Map<String, List<Account>> takers = new HashMap<>();

    private final Map<String, List<Account>> others = new LinkedHashMap<>();
    private final SimCluster cluster;

    QueueMeter(SimCluster cluster, QueueBudgets budgets) {
        this.cluster = cluster;
        List<Partition> shared = cluster.partitions().stream()
                .filter(partition -> partition.root().isPresent())
                .toList();
        for (Partition partition : shared) {
            String prefix = shared.size() > 1 ? partition.name() + ":" : "";
            partition
                    .root()
                    .orElseThrow()
                    .children()
                    .forEach(queue -> walk(partition, queue, List.of(), prefix, budgets));
        }
    }

    private void walk(
            Partition partition, SharedQueue queue, List<Account> above, String prefix, QueueBudgets budgets) {
        Account account = new Account(
                prefix + queue.path(), Optional.ofNullable(budgets.of(partition).get(queue.path())));
        accounts.add(account);
        List<Account> path = new ArrayList<>(above);
        path.add(account);
        queue.children().forEach(child -> walk(partition, child, path, prefix, budgets));
        if (queue.children().isEmpty()) {
            queue.takes().forEach(name -> {
                if (name.equals(SharedQueue.ALL_OTHERS)) {
                    others.put(partition.name(), path);
                } else {
                    takers.put(name, path);
                }
            });
        }
    }

    /** A job's GPUs drew so much since the last {@link #pass}, J. */
    void drew(JobRun job, double joules) {
        accountsOf(job.job().queue()).forEach(account -> account.joules += joules);
    }

    private List<Account> accountsOf(String queue) {
        List<Account> known = takers.get(queue);
        if (known == null) {
            known = cluster.partitionOf(queue)
                    .flatMap(partition -> Optional.ofNullable(others.get(partition.name())))
                    .orElse(List.of());
            takers.put(queue, known);
        }
        return known;
    }

    /** So long, in which draw stayed the same, is over, s. */
    void pass(double seconds) {
        for (Account account : accounts) {
            if (seconds > 0) {
                account.mostWatts = Math.max(account.mostWatts, (account.joules - account.before) / seconds);
            }
            account.before = account.joules;
        }
    }

    /** @param seconds of the whole run, s */
    List<Outcome.QueueDrawn> drawn(double seconds) {
        return accounts.stream()
                .map(account -> new Outcome.QueueDrawn(
                        account.name,
                        account.budgetWatts,
                        seconds > 0 ? account.joules / seconds : 0,
                        account.mostWatts,
                        account.joules))
                .toList();
    }
}
