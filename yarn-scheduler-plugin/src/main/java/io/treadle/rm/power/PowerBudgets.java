// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.rm.conf.BudgetSetting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** What the cluster, and the jobs of queues, may draw now: by settings, or as an administrator has said since. */
public final class PowerBudgets {
    private final BudgetSetting clusterSetting;
    private final BudgetQueues queues;
    private final BudgetOverrides overrides;
    private final Supplier<ClusterDraw> draw;
    private final EnergyUse use;
    private final Runnable changed;

    /** @param changed called when a budget was set: a plan may be another now */
    public PowerBudgets(
            BudgetSetting clusterSetting,
            BudgetQueues queues,
            BudgetOverrides overrides,
            Supplier<ClusterDraw> draw,
            EnergyUse use,
            Runnable changed) {
        this.clusterSetting = clusterSetting;
        this.queues = queues;
        this.overrides = overrides;
        this.draw = draw;
        this.use = use;
        this.changed = changed;
    }

    /** What all nodes with all their GPUs may draw, W; empty for no limit. */
    public OptionalDouble clusterWatts() {
        return now().clusterWatts();
    }

    /**
     * What the GPUs of the queue's jobs may draw now, W: the least of its own budget and those of the queues above it, less
     * what other queues' jobs draw of the latter. Empty for no limit.
     */
    public OptionalDouble queueWatts(String path) {
        return now().queueWatts(path);
    }

    /** What contradicts, or cannot be kept to, and what counts instead: whole sentences. */
    public List<String> warnings() {
        return warnings(now());
    }

    /** The same of budgets that have been looked at already. */
    public List<String> warnings(BudgetsInForce inForce) {
        List<String> all = new ArrayList<>(inForce.warnings());
        if (!overrides.areKept() && !overrides.now().equals(PowerBudgetsRecord.EMPTY)) {
            all.add(
                    "A power budget was set while this ResourceManager ran, and this cluster has no ZooKeeper to keep it:"
                            + " it is gone with the ResourceManager.");
        }
        return all;
    }

    /** All of them at this moment: who asks for many queues asks once for this. */
    public BudgetsInForce now() {
        return new BudgetsInForce(clusterSetting, queues, overrides.now(), draw.get(), use);
    }

    /** Full paths of queues that a budget can be set for. */
    public Set<String> queues() {
        return new TreeSet<>(queues.paths());
    }

    /**
     * Sets what the cluster may draw from now on.
     *
     * @param watts W; without a value: no budget; empty: what the setting says
     * @return as {@link #set}
     * @throws IOException as {@link #set}
     */
    public boolean setCluster(Optional<OptionalDouble> watts) throws IOException {
        return set(record -> record.withCluster(watts));
    }

    /**
     * Sets what the jobs of a queue may draw from now on.
     *
     * @param watts as for the cluster
     * @return as {@link #set}
     * @throws IOException as {@link #set}
     */
    public boolean setQueue(String path, Optional<OptionalDouble> watts) throws IOException {
        return set(record -> record.withQueue(path, watts));
    }

    /**
     * Sets budgets from now on.
     *
     * @return whether they outlive the ResourceManager
     * @throws IOException if they cannot be kept now; then they are not set
     */
    public boolean set(UnaryOperator<PowerBudgetsRecord> change) throws IOException {
        overrides.change(change);
        changed.run();
        return overrides.areKept();
    }
}
