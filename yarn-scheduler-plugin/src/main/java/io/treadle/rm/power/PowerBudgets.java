// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.PowerBudgetsRecord;
import io.treadle.rm.conf.PowerLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** What the cluster, and the jobs of queues, may draw now: by settings, or as an administrator has said since. */
public final class PowerBudgets {
    private final Optional<PowerLimit> clusterSetting;
    private final BudgetQueues queues;
    private final BudgetOverrides overrides;
    private final Supplier<ClusterDraw> draw;
    private final Runnable changed;

    /** @param changed called when a budget was set: a plan may be another now */
    public PowerBudgets(
            Optional<PowerLimit> clusterSetting,
            BudgetQueues queues,
            BudgetOverrides overrides,
            Supplier<ClusterDraw> draw,
            Runnable changed) {
        this.clusterSetting = clusterSetting;
        this.queues = queues;
        this.overrides = overrides;
        this.draw = draw;
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
        List<String> all = new ArrayList<>(now().warnings());
        if (!overrides.areKept() && !overrides.now().equals(PowerBudgetsRecord.EMPTY)) {
            all.add(
                    "A power budget was set while this ResourceManager ran, and this cluster has no ZooKeeper to keep it:"
                            + " it is gone with the ResourceManager.");
        }
        return all;
    }

    /** All of them at this moment: who asks for many queues asks once for this. */
    public BudgetsInForce now() {
        return new BudgetsInForce(clusterSetting, queues, overrides.now(), draw.get());
    }

    /** Full paths of queues that a budget can be set for. */
    public Set<String> queues() {
        return new TreeSet<>(queues.paths());
    }

    /**
     * Sets the cluster's budget from now on.
     *
     * @param watts W; without a value: no budget; empty: what the setting says
     * @return whether it outlives the ResourceManager
     * @throws IOException if it cannot be kept now; then it is not set
     */
    public boolean setCluster(Optional<OptionalDouble> watts) throws IOException {
        overrides.change(record -> record.withCluster(watts));
        changed.run();
        return overrides.areKept();
    }

    /**
     * Sets a queue's budget from now on.
     *
     * @param watts as for the cluster
     * @return whether it outlives the ResourceManager
     * @throws IOException if it cannot be kept now; then it is not set
     */
    public boolean setQueue(String path, Optional<OptionalDouble> watts) throws IOException {
        overrides.change(record -> record.withQueue(path, watts));
        changed.run();
        return overrides.areKept();
    }
}
