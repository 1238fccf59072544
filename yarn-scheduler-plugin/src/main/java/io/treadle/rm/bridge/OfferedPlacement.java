// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.algorithm.DefaultPlacementAlgorithm;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.api.ConstraintPlacementAlgorithmInput;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.api.ConstraintPlacementAlgorithmOutputCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.processor.BatchedRequests;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's algorithm behind the handler {@code placement-processor}, without the nodes that {@link NodeOffers} does not offer. Hadoop's
 * own looks at sums of resources alone, and an application's request is rejected for good once three nodes have refused it. What has
 * no room on nodes that are offered Hadoop tries again on all: that is refused at the commit.
 */
public final class OfferedPlacement extends DefaultPlacementAlgorithm {
    private static final Logger LOG = LoggerFactory.getLogger(OfferedPlacement.class);
    private static final String SETTING = YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_ALGORITHM_CLASS;

    private @Nullable RMContext context;

    /** Takes the place of Hadoop's algorithm; one that an admin has named stays. */
    public static void install(Configuration conf) {
        String named = conf.getTrimmed(SETTING, "");
        if (named.isEmpty() || named.equals(DefaultPlacementAlgorithm.class.getName())) {
            conf.set(SETTING, OfferedPlacement.class.getName());
        } else if (!named.equals(OfferedPlacement.class.getName())) {
            LOG.info("{} is {}: it may choose nodes that Treadle then refuses", SETTING, named);
        }
    }

    @Override
    public void init(RMContext rmContext) {
        super.init(rmContext);
        context = rmContext;
    }

    @Override
    public void place(ConstraintPlacementAlgorithmInput input, ConstraintPlacementAlgorithmOutputCollector collector) {
        super.place(
                input instanceof BatchedRequests requests && context != null
                        ? OfferedRequests.of(requests, context).orElse(requests)
                        : input,
                collector);
    }
}
