// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

/** Where Treadle keeps what its processes tell each other in ZooKeeper (spec: {@code docs/spec/zookeeper-tree.md}). */
public final class ZkPaths {
    public static final String ROOT = "/treadle";
    public static final String JOBS = ROOT + "/jobs";
    public static final String NODES = ROOT + "/nodes";
    public static final String POWER = ROOT + "/power";
    /** Power budgets that administrators have set while the RM ran. */
    public static final String POWER_BUDGETS = ROOT + "/power-budgets";
    /** What has been used of energy budgets. */
    public static final String POWER_USED = ROOT + "/power-used";
    /** Nodes that are switched off. */
    public static final String SLEEPING_NODES = ROOT + "/sleeping-nodes";

    public static final String PROFILES = ROOT + "/profiles";

    private ZkPaths() {}

    /**
     * What there is once in a cluster, where several share a ZooKeeper.
     *
     * @param clusterId {@code yarn.resourcemanager.cluster-id}; empty for none
     */
    public static String ofCluster(String path, String clusterId) {
        return clusterId.isEmpty() ? path : path + "@" + name(clusterId);
    }

    public static String job(String applicationId) {
        return JOBS + "/" + applicationId;
    }

    public static String profile(String applicationId) {
        return job(applicationId) + "/profile";
    }

    public static String progress(String applicationId) {
        return job(applicationId) + "/progress";
    }

    /** The RM's copy of the stored profile that the job may start from. */
    public static String knownProfile(String applicationId) {
        return job(applicationId) + "/known-profile";
    }

    /** What the RM wants the job's containers to make do with. */
    public static String memoryWanted(String applicationId) {
        return job(applicationId) + "/memory-wanted";
    }

    /** The job's answer. */
    public static String memoryGiven(String applicationId) {
        return job(applicationId) + "/memory-given";
    }

    public static String node(String hostAndPort) {
        return NODES + "/" + hostAndPort;
    }

    /** What the RM wants the node's GPUs to draw at most. */
    public static String power(String hostAndPort) {
        return POWER + "/" + hostAndPort;
    }

    public static String storedProfile(String user, String modelTag, String gpuModel, long batchSize) {
        return PROFILES + "/" + name(user) + "/" + name(modelTag) + "/" + name(gpuModel) + "/" + batchSize;
    }

    /** How a user, model tag or GPU model stands in a path: ZooKeeper names may hold no '/' and be neither empty nor dots. */
    public static String name(String text) {
        String safe = text.replaceAll("[^A-Za-z0-9_.@-]", "_");
        return safe.isEmpty() || safe.equals(".") || safe.equals("..") ? "_" + safe : safe;
    }
}
