// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.bridge.NodesOfYarn;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.power.BudgetsInForce;
import io.treadle.rm.power.PowerAccounts;
import io.treadle.rm.power.PowerBudgets;
import io.treadle.rm.profile.ZkTelemetry;
import io.treadle.rm.sleep.NodeSleep;
import io.treadle.rm.sleep.SleepRecords;
import io.treadle.rm.sleep.SleepWatch;
import io.treadle.rm.sleep.Sleeping;
import io.treadle.rm.sleep.SwitchCommand;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What switches nodes off and on: nothing, not even a thread, where no command is set.
 *
 * @param sleeping what others may know of nodes that are off
 */
record SleepParts(Sleeping sleeping, Optional<SleepWatch> watch) {
    private static final Logger LOG = LoggerFactory.getLogger(SleepParts.class);

    private static final SleepParts NONE = new SleepParts(Sleeping.NONE, Optional.empty());

    /** What a plan may ask of the cluster. */
    record Cluster(SchedulerAccess access, GangTable gangs, QueuePolicies policies, RMContext context) {}

    /** @param ready whether YARN's nodes are known */
    static SleepParts create(
            PowerOffSettings settings,
            Cluster cluster,
            Optional<ZkTelemetry> zooKeeper,
            PowerAccounts accounts,
            PowerBudgets budgets,
            BooleanSupplier ready,
            InstantSource clock) {
        Optional<Path> command = settings.command();
        if (command.isEmpty()) {
            return NONE;
        }
        if (zooKeeper.isEmpty()) {
            // The next ResourceManager would not know which nodes to switch on again.
            LOG.warn(
                    "{} is set and {} is not: no node is switched off",
                    PowerOffSettings.COMMAND,
                    SchedulerConf.ZK_ADDRESS);
            return NONE;
        }
        SleepRecords records = zooKeeper.get().sleepRecords();
        NodeSleep sleep = new NodeSleep(
                settings,
                new NodesOfYarn(
                        cluster.access(),
                        cluster.gangs(),
                        cluster.context(),
                        queue -> isHeldBack(queue, cluster.policies(), budgets),
                        queue -> isLimited(queue, cluster.policies(), budgets)),
                new SwitchCommand(command.get(), SwitchCommand.LIMIT),
                records,
                accounts);
        return new SleepParts(sleep, Optional.of(new SleepWatch(sleep, records, ready, clock)));
    }

    /** Other policies do not keep to budgets: their jobs run on whatever is on. */
    static boolean isHeldBack(String queue, QueuePolicies policies, PowerBudgets budgets) {
        return isOfPower(queue, policies) && budgets.now().isUsedUp(queue);
    }

    /** Whether a limit on power may be why jobs of the queue wait. */
    private static boolean isLimited(String queue, QueuePolicies policies, PowerBudgets budgets) {
        // What is in force is a look at all nodes: not for each ask of a queue that has nothing to do with it.
        if (!isOfPower(queue, policies)) {
            return false;
        }
        BudgetsInForce now = budgets.now();
        return now.clusterWatts().isPresent() || now.limitWatts(queue).isPresent();
    }

    private static boolean isOfPower(String queue, QueuePolicies policies) {
        try {
            return policies.of(queue).choosesGpus();
        } catch (IllegalArgumentException e) {
            LOG.debug("queue {} names no policy that can be used: {}", queue, e.getMessage());
            return false;
        }
    }
}
