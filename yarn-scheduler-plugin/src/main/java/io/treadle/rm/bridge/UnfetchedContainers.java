// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;

/**
 * Containers that end before their ApplicationMaster has fetched them: members of a gang that is taken back, and the
 * containers by which others grow. Hadoop has no transition for a container that is released in this state, and logs two
 * errors with a stack trace for each.
 */
public final class UnfetchedContainers {
    private UnfetchedContainers() {}

    /** Whether Hadoop would log errors for the event and change nothing else. */
    public static boolean isReleased(RMContainer container, RMContainerEventType event) {
        return event == RMContainerEventType.RELEASED && container.getState() == RMContainerState.ALLOCATED;
    }

    /**
     * The same container for the books of nodes, queues and applications, which takes no events. The container's own
     * state machine is not told: the transitions that it has would show the ApplicationMaster a container that it never
     * got.
     */
    public static RMContainer withoutEvents(RMContainer container) {
        return (RMContainer) Proxy.newProxyInstance(
                RMContainer.class.getClassLoader(), new Class<?>[] {RMContainer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        return null;
                    }
                    try {
                        return method.invoke(container, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /**
     * Lets Hadoop forget the container's allocation tags when it ends. It adds those of the scheduler's record of the
     * container, and removes those of the record for the ApplicationMaster, which gets its tags when it is fetched.
     */
    public static void tagsEndWith(RMContainer container) {
        if (container.getState() == RMContainerState.ALLOCATED
                && container instanceof RMContainerImpl known
                && known.getContainer() != null
                && isEmpty(known.getContainer().getAllocationTags())
                && !isEmpty(known.getAllocationTags())) {
            known.getContainer().setAllocationTags(known.getAllocationTags());
        }
    }

    private static boolean isEmpty(@org.jspecify.annotations.Nullable Set<String> tags) {
        return tags == null || tags.isEmpty();
    }
}
