// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ApplicationPlacementAllocatorFactory;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ApplicationSchedulingConfig;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.SingleConstraintAppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which allocator stands behind {@link PlannedPlacement}. YARN finds an allocator by a name that an application or the
 * configuration gives: that name is put aside and ours takes its place, so that no application is placed without it.
 */
public final class PlacementNames {
    private static final Logger LOG = LoggerFactory.getLogger(PlacementNames.class);
    private static final String OURS = PlannedPlacement.class.getName();
    private static final String OF_APPLICATION = ApplicationSchedulingConfig.ENV_APPLICATION_PLACEMENT_TYPE_CLASS;
    /** Where the names are put aside, in the configuration and in an application's properties. */
    private static final String ASIDE = "treadle.placement-allocator-behind";

    private PlacementNames() {}

    /**
     * @param conf the one from which AppSchedulingInfo reads; after a failover it may already name ours
     */
    public static void replaceIn(Configuration conf) {
        String named = conf.get(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS);
        if (named != null && !named.equals(OURS)) {
            conf.set(ASIDE, named);
            LOG.info(
                    "{} is {}: it places what Treadle offers it",
                    YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS,
                    named);
        }
        conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, OURS);
    }

    /** An application may name an allocator in its scheduling properties, or in the environment of its master. */
    static void replaceIn(@Nullable RMApp app) {
        if (app == null) {
            return;
        }
        Map<String, String> properties = app.getApplicationSchedulingEnvs();
        properties.remove(ASIDE);
        String named = properties.remove(OF_APPLICATION);
        if (named == null) {
            return;
        }
        if (isUsable(named)) {
            properties.put(ASIDE, named);
        } else {
            LOG.info(
                    "{} of {} names '{}', which places no resource requests: YARN's own allocator is used",
                    OF_APPLICATION,
                    app.getApplicationId(),
                    named);
        }
    }

    /** Hadoop creates whatever the name says, on a thread whose failure ends the ResourceManager. */
    private static boolean isUsable(String name) {
        try {
            Class<?> type = Class.forName(name, false, PlacementNames.class.getClassLoader());
            return AppPlacementAllocator.class.isAssignableFrom(type)
                    && !Modifier.isAbstract(type.getModifiers())
                    && type != PlannedPlacement.class
                    && type != SingleConstraintAppPlacementAllocator.class
                    && type.getDeclaredConstructor() != null;
        } catch (ReflectiveOperationException | LinkageError e) {
            LOG.debug("{} cannot be used", name, e);
            return false;
        }
    }

    /** Empty where neither the application nor the configuration names one. */
    static <N extends SchedulerNode> Optional<AppPlacementAllocator<N>> named(
            AppSchedulingInfo app, SchedulerRequestKey key, RMContext context) {
        String named = app.getApplicationSchedulingEnvs().get(ASIDE);
        String name = named == null ? context.getYarnConfiguration().get(ASIDE) : named;
        return name == null ? Optional.empty() : Optional.of(create(name, app, key, context));
    }

    static <N extends SchedulerNode> AppPlacementAllocator<N> forSchedulingRequests(
            AppSchedulingInfo app, SchedulerRequestKey key, RMContext context) {
        return create(SingleConstraintAppPlacementAllocator.class.getName(), app, key, context);
    }

    @SuppressWarnings("unchecked") // Hadoop's factory knows no type of node either
    private static <N extends SchedulerNode> AppPlacementAllocator<N> create(
            String name, AppSchedulingInfo app, SchedulerRequestKey key, RMContext context) {
        return (AppPlacementAllocator<N>)
                ApplicationPlacementAllocatorFactory.getAppPlacementAllocator(name, app, key, context);
    }

    /**
     * Hadoop names an allocator of its own for scheduling requests, which no setting changes. It takes what is there for
     * the request's key: ours, created by an empty ask. It forgets that where a key is asked for no more, also in the middle of
     * one heartbeat: of several requests of one key only the last one counts, and only that one is left.
     *
     * @return what is to be passed on
     */
    public static List<SchedulingRequest> prepare(AppSchedulingInfo app, List<SchedulingRequest> requests) {
        Map<SchedulerRequestKey, SchedulingRequest> last = new LinkedHashMap<>();
        for (SchedulingRequest request : requests) {
            SchedulerRequestKey key = SchedulerRequestKey.create(request);
            SchedulingRequest before = last.put(key, request);
            if (before != null && isForNone(before)) {
                app.updateSchedulingRequests(List.of(before), false);
            }
        }
        last.keySet().forEach(key -> makeOurs(app, key));
        return last.size() == requests.size() ? requests : List.copyOf(last.values());
    }

    private static boolean isForNone(SchedulingRequest request) {
        return request.getResourceSizing() != null
                && request.getResourceSizing().getNumAllocations() == 0;
    }

    private static void makeOurs(AppSchedulingInfo app, SchedulerRequestKey key) {
        if (app.getAppPlacementAllocator(key) == null) {
            app.updateResourceRequests(new HashMap<>(Map.of(key, Map.of())), false);
        }
    }

    /**
     * Puts ours in front of one that Hadoop has made itself for scheduling requests: its heartbeat has met a container that took
     * the last of what was asked for by the same key. The caller holds the scheduler's write lock.
     *
     * @return whether there was one
     */
    static boolean enclose(FiCaSchedulerApp app, SchedulerRequestKey key) {
        AppSchedulingInfo info = app.getAppSchedulingInfo();
        AppPlacementAllocator<SchedulerNode> found = info.getAppPlacementAllocator(key);
        if (found == null || found instanceof PlannedPlacement) {
            return false;
        }
        // Heartbeats of the application hold this lock while they change what is asked for.
        app.getWriteLock().lock();
        try {
            AppPlacementAllocator<SchedulerNode> bare = info.getAppPlacementAllocator(key);
            SchedulingRequest asked =
                    bare == null || bare instanceof PlannedPlacement ? null : bare.getSchedulingRequest();
            if (asked == null) {
                return false;
            }
            SchedulingRequest again = copy(asked, asked.getResourceSizing().getNumAllocations());
            info.updateSchedulingRequests(List.of(copy(asked, 0)), false);
            makeOurs(info, key);
            info.updateSchedulingRequests(List.of(again), false);
            return true;
        } finally {
            app.getWriteLock().unlock();
        }
    }

    private static SchedulingRequest copy(SchedulingRequest asked, int allocations) {
        return SchedulingRequest.newBuilder()
                .allocationRequestId(asked.getAllocationRequestId())
                .priority(asked.getPriority())
                .executionType(asked.getExecutionType())
                .allocationTags(asked.getAllocationTags())
                .placementConstraintExpression(asked.getPlacementConstraint())
                .resourceSizing(ResourceSizing.newInstance(
                        allocations, asked.getResourceSizing().getResources()))
                .build();
    }
}
