// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.policy.smd.SmdRules;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * Cluster settings {@code yarn.scheduler.treadle.*} (reference: {@code docs/reference/scheduler-settings.md}).
 *
 * @param roundMinGap shortest time between two rounds of planning
 * @param roundMaxAge longest time between two rounds while there are jobs
 * @param policyTimeout how long a policy may plan
 * @param policyFailures failures in a row after which a queue behaves as plain capacity
 * @param policyRetry how long a queue stays so before its policy is tried again
 * @param nodeSpareVcores vcores of each node that no job gets beyond its ask
 * @param nodeSpareMemoryMiB memory of each node that no job gets beyond its ask, MiB
 * @param nodeReserveVcores vcores of each node that shares are never made of, whether others hold them or not
 * @param sharedStorageMBps what all nodes together can read from the file system that they share, MB/s; 0 for no limit
 * @param crossing how much longer jobs run on several nodes
 * @param budget what all nodes with all their GPUs may draw together, and use over time
 * @param profilingMost how long a job may say that it is being profiled
 * @param power settings of what the cluster draws
 * @param reservation settings of room that is reserved for waiting gangs
 * @param smd settings of policies that choose numbers of workers and parameter servers
 * @param refusal when jobs are refused for which the cluster is too small
 * @param recordDir directory to which every round is written; empty for none
 * @param clusterId name of this cluster ({@code yarn.resourcemanager.cluster-id}); empty for none
 * @param zkAddress ZooKeeper ensemble ({@code hadoop.zk.address}); empty for none
 * @param zkDigestFile file with the secret under which the RM and the nodes write; empty for open access
 */
public record SchedulerConf(
        Duration roundMinGap,
        Duration roundMaxAge,
        Duration policyTimeout,
        int policyFailures,
        Duration policyRetry,
        int nodeSpareVcores,
        int nodeSpareMemoryMiB,
        int nodeReserveVcores,
        int sharedStorageMBps,
        Crossing crossing,
        BudgetSetting budget,
        Duration profilingMost,
        PowerSettings power,
        ReservationSettings reservation,
        SmdRules smd,
        RefusalSettings refusal,
        String recordDir,
        String clusterId,
        String zkAddress,
        String zkDigestFile) {
    public static final String PREFIX = "yarn.scheduler.treadle.";
    public static final String ROUND_MIN_GAP_MS = PREFIX + "round.min-gap-ms";
    public static final String ROUND_MAX_AGE_MS = PREFIX + "round.max-age-ms";
    public static final String POLICY_TIMEOUT_MS = PREFIX + "policy.timeout-ms";
    public static final String POLICY_FAILURES = PREFIX + "policy.failures";
    public static final String POLICY_RETRY_MS = PREFIX + "policy.retry-ms";
    public static final String NODE_SPARE_VCORES = PREFIX + "node.spare-vcores";
    public static final String NODE_SPARE_MEMORY = PREFIX + "node.spare-memory-mb";
    public static final String NODE_RESERVE_VCORES = PREFIX + "node.reserve-vcores";
    public static final String SHARED_STORAGE_MBPS = PREFIX + "shared-storage-mbps";
    public static final String CROSSING_PENALTY = PREFIX + "crossing-penalty";
    public static final String POWER_BUDGET = PREFIX + "power-budget-watts";
    public static final String ENERGY_BUDGET = PREFIX + "energy-budget";
    public static final String PROFILING_MAX_SECONDS = PREFIX + "profiling.max-seconds";
    public static final String RECORD_DIR = PREFIX + "record-dir";
    public static final String CLUSTER_ID = "yarn.resourcemanager.cluster-id";
    public static final String ZK_ADDRESS = "hadoop.zk.address";
    public static final String ZK_DIGEST_FILE = "yarn.treadle.zk-digest-file";

    private static final Crossing CROSSING = new Crossing(0.2, 0.2);

    /**
     * @throws IllegalArgumentException if a value cannot be used; the message names the setting, the value and what
     *     would be right
     */
    public static SchedulerConf from(Configuration conf) {
        return new SchedulerConf(
                Duration.ofMillis(number(conf, ROUND_MIN_GAP_MS, 200, 1, 60_000)),
                Duration.ofMillis(number(conf, ROUND_MAX_AGE_MS, 1000, 10, 600_000)),
                Duration.ofMillis(number(conf, POLICY_TIMEOUT_MS, 5000, 10, 600_000)),
                number(conf, POLICY_FAILURES, 5, 1, 1000),
                Duration.ofMillis(number(conf, POLICY_RETRY_MS, 60_000, 100, 86_400_000)),
                number(conf, NODE_SPARE_VCORES, 1, 0, 1000),
                number(conf, NODE_SPARE_MEMORY, 1024, 0, 100_000_000),
                number(conf, NODE_RESERVE_VCORES, 0, 0, 1000),
                number(conf, SHARED_STORAGE_MBPS, 0, 0, 10_000_000),
                crossing(conf.getTrimmed(CROSSING_PENALTY, "")),
                BudgetSetting.parse(
                        POWER_BUDGET,
                        conf.getTrimmed(POWER_BUDGET, ""),
                        ENERGY_BUDGET,
                        conf.getTrimmed(ENERGY_BUDGET, "")),
                Duration.ofSeconds(number(conf, PROFILING_MAX_SECONDS, 900, 1, 86_400)),
                renewed(PowerSettings.from(conf), number(conf, ROUND_MAX_AGE_MS, 1000, 10, 600_000)),
                ReservationSettings.from(conf),
                SmdSettings.from(conf),
                RefusalSettings.from(conf),
                conf.getTrimmed(RECORD_DIR, ""),
                conf.getTrimmed(CLUSTER_ID, ""),
                conf.getTrimmed(ZK_ADDRESS, ""),
                conf.getTrimmed(ZK_DIGEST_FILE, ""));
    }

    /** A node that is told its caps less often than their lease needs would let go of them. */
    private static PowerSettings renewed(PowerSettings power, int maxAgeMs) {
        if (power.capsLease().toMillis() < 3L * maxAgeMs) {
            throw new IllegalArgumentException(PowerSettings.CAPS_LEASE_MS + " is '"
                    + power.capsLease().toMillis() + "', must be at least three times " + ROUND_MAX_AGE_MS
                    + ", which is '"
                    + maxAgeMs + "': caps are renewed once a round");
        }
        return power;
    }

    private static Crossing crossing(String value) {
        return value.isEmpty() ? CROSSING : Crossing.parse(CROSSING_PENALTY, value);
    }

    static int number(Configuration conf, String key, int otherwise, int least, int most) {
        String value = conf.getTrimmed(key, "");
        if (value.isEmpty()) {
            return otherwise;
        }
        if (value.matches("[0-9]{1,9}") && Integer.parseInt(value) >= least && Integer.parseInt(value) <= most) {
            return Integer.parseInt(value);
        }
        throw new IllegalArgumentException(
                key + " is '" + value + "', must be a whole number from " + least + " to " + most);
    }
}
