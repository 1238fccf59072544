// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.sleep.SleepState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Power and energy of a cluster at a moment, W and J.
 *
 * @param draw what is drawn now
 * @param budgetWatts what all nodes may draw
 * @param energy what they may use over time
 * @param warnings whole sentences
 * @param joules of all GPUs
 * @param idleJoules the part of it that was spent while nobody held the GPU
 * @param nodes those that speak, by name
 * @param asleep hosts that are off, by name
 * @param asleepKnown whether it is known which are
 * @param queues leaf queues, and those above them that have a budget, by path
 * @param users J by user
 * @param jobs those that are there, then those that ended last
 * @param lastHour draw over time
 */
public record PowerReport(
        ClusterDraw draw,
        OptionalDouble budgetWatts,
        Optional<BudgetState> energy,
        List<String> warnings,
        double joules,
        double idleJoules,
        List<Node> nodes,
        List<SleepState> asleep,
        boolean asleepKnown,
        List<Queue> queues,
        Map<String, Double> users,
        List<JobPower> jobs,
        List<PowerHistory.Sample> lastHour) {
    /** @param source how {@code watts} are known: {@code rapl}, {@code command}, {@code model}, or {@code gpus} */
    public record Node(String name, double watts, String source, List<Gpu> gpus) {
        /** The first thing that is wrong with a cap; empty where nothing is. */
        public String trouble() {
            return gpus.stream()
                    .map(g -> g.device().power().map(DevicePower::trouble).orElse(""))
                    .filter(text -> !text.isEmpty())
                    .findFirst()
                    .orElse("");
        }
    }

    /** @param limitWatts the highest limit that it had, W; 0 where that cannot be read */
    public record Gpu(NodeRecord.Device device, double limitWatts) {
        /** The limit that is enforced now, W; 0 where it cannot be read. */
        public double capWatts() {
            double effective =
                    device.power().map(DevicePower::effectiveCapWatts).orElse(0.0);
            return effective > 0 ? effective : device.capWatts();
        }

        /** Whether it is held below what it was seen to take. */
        public boolean isCapped() {
            return capWatts() > 0 && capWatts() < limitWatts - 0.5;
        }
    }

    /**
     * @param watts of the GPUs of its jobs and of those below it
     * @param budgetWatts the least of its own budget and those above it
     * @param energy its own budget over time
     * @param jobs that hold GPUs now
     */
    public record Queue(
            String path,
            double watts,
            OptionalDouble budgetWatts,
            Optional<BudgetState> energy,
            double joules,
            int jobs) {}
}
