// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.impl.pb.ContainerPBImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;

/**
 * The allocation tags of containers as ApplicationMasters are told of them: their own alone. Hadoop's client knows by the exact tags
 * which of its scheduling requests a container is for. With others among them it takes the request for unanswered, and asks for all
 * its containers once more when the ResourceManager changes. The devices are in the container's token, for the NodeManager.
 */
public final class AnsweredTags {
    private AnsweredTags() {}

    /** The same answer; containers in it that name devices are copies, as the scheduler's records keep the tags. */
    public static Allocation own(Allocation answer) {
        own(answer.getContainers());
        return answer;
    }

    /** Replaces the containers of the list that name devices. */
    public static List<Container> own(List<Container> containers) {
        // Hadoop's answer to an application that is gone is one list for all threads, and empty.
        if (!containers.isEmpty()) {
            containers.replaceAll(AnsweredTags::own);
        }
        return containers;
    }

    private static Container own(Container container) {
        Set<String> tags = container.getAllocationTags();
        if (tags == null || tags.isEmpty() || !(container instanceof ContainerPBImpl known)) {
            return container;
        }
        Set<String> own = ReservedTags.without(tags);
        if (own.size() == tags.size()) {
            return container;
        }
        Container copy = new ContainerPBImpl(known.getProto());
        copy.setAllocationTags(own);
        return copy;
    }
}
