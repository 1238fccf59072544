// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.power.BudgetQueues;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Queues of a CapacityScheduler with their power budgets. */
public final class QueueBudgets implements BudgetQueues {
    private final CapacityScheduler scheduler;
    private final Lock settings;

    /** @param settings held by a refresh of the queues: new settings may be refused until it lets go */
    public QueueBudgets(CapacityScheduler scheduler, Lock settings) {
        this.scheduler = scheduler;
        this.settings = settings;
    }

    private <T> T settled(Supplier<T> read) {
        settings.lock();
        try {
            return read.get();
        } finally {
            settings.unlock();
        }
    }

    @Override
    public Set<String> paths() {
        return settled(() -> scheduler.getCapacitySchedulerQueueManager().getQueues().values().stream()
                .map(CSQueue::getQueuePath)
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Override
    public BudgetSetting setting(String path) {
        return settled(() -> QueueSettings.budget(path, QueueLookUp.of(scheduler, scheduler.getQueue(path))));
    }

    @Override
    public Set<String> named() {
        // A refresh makes another configuration: this one is looked through without keeping anybody waiting.
        Configuration accepted = settled(scheduler::getConfiguration);
        Set<String> named = new TreeSet<>();
        for (Map.Entry<String, String> setting : accepted) {
            QueueSettings.queueOfBudget(setting.getKey())
                    .filter(path -> !path.endsWith("template"))
                    .ifPresent(named::add);
        }
        return named;
    }
}
