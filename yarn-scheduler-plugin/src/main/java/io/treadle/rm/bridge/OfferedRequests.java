// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.GangHost;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.processor.BatchedRequests;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/**
 * Scheduling requests of an application, as Hadoop's placement algorithm reads them: it goes from request to request, and leaves nodes
 * out that have refused the request before. Nodes that are not offered are left out, too. Each is looked at when the algorithm comes to
 * it. For one thread.
 */
final class OfferedRequests extends BatchedRequests {
    private final BatchedRequests requests;
    private final AbstractYarnScheduler<?, ?> scheduler;
    private final GangHost host;
    private final AppSchedulingInfo app;
    private @Nullable SchedulingRequest current;

    private OfferedRequests(
            BatchedRequests requests, AbstractYarnScheduler<?, ?> scheduler, GangHost host, AppSchedulingInfo app) {
        super(
                requests.getIteratorType(),
                requests.getApplicationId(),
                requests.getSchedulingRequests(),
                requests.getPlacementAttempt());
        this.requests = requests;
        this.scheduler = scheduler;
        this.host = host;
        this.app = app;
    }

    /** Empty where the application is gone, or the scheduler is not ours. */
    static Optional<BatchedRequests> of(BatchedRequests requests, RMContext context) {
        if (!(context.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler)
                || !(scheduler instanceof GangHost host)) {
            return Optional.empty();
        }
        return Optional.ofNullable(scheduler.getSchedulerApplications().get(requests.getApplicationId()))
                .map(application -> (SchedulerApplicationAttempt) application.getCurrentAppAttempt())
                .map(attempt -> new OfferedRequests(requests, scheduler, host, attempt.getAppSchedulingInfo()));
    }

    @Override
    public Iterator<SchedulingRequest> iterator() {
        Iterator<SchedulingRequest> each = super.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return each.hasNext();
            }

            @Override
            public SchedulingRequest next() {
                SchedulingRequest next = each.next();
                current = next;
                return next;
            }
        };
    }

    @Override
    public Set<NodeId> getBlacklist(String tag) {
        Set<NodeId> refused = requests.getBlacklist(tag);
        return new AbstractSet<>() {
            @Override
            public boolean contains(Object node) {
                return refused.contains(node) || !isOffered((NodeId) node);
            }

            @Override
            public Iterator<NodeId> iterator() {
                return refused.iterator();
            }

            @Override
            public int size() {
                return refused.size();
            }
        };
    }

    private boolean isOffered(NodeId id) {
        SchedulingRequest request = current;
        SchedulerNode node = scheduler.getSchedulerNode(id);
        return request == null
                || node == null
                || host.obstacle(
                                app,
                                SchedulerRequestKey.create(request),
                                YarnResources.vector(request.getResourceSizing().getResources()),
                                node)
                        .isEmpty();
    }
}
