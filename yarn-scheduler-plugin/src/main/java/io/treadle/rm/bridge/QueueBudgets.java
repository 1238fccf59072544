// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.conf.BudgetSetting;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.power.BudgetQueues;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Queues of a CapacityScheduler with their power budgets. */
public final class QueueBudgets implements BudgetQueues {
    private final CapacityScheduler scheduler;

    public QueueBudgets(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Set<String> paths() {
        return scheduler.getCapacitySchedulerQueueManager().getQueues().values().stream()
                .map(CSQueue::getQueuePath)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public BudgetSetting setting(String path) {
        return QueueSettings.budget(path, QueueLookUp.of(scheduler, scheduler.getQueue(path)));
    }

    @Override
    public Set<String> named() {
        Set<String> named = new TreeSet<>();
        for (Map.Entry<String, String> setting : scheduler.getConfiguration()) {
            QueueSettings.queueOfBudget(setting.getKey())
                    .filter(path -> !path.endsWith("template"))
                    .ifPresent(named::add);
        }
        return named;
    }
}
