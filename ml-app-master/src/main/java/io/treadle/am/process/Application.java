// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import io.treadle.am.yarn.RmLink;
import io.treadle.am.yarn.YarnEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;

/** What an ApplicationMaster is there for. */
public interface Application extends AutoCloseable {
    /** Makes it before the ResourceManager knows of this ApplicationMaster. */
    interface Factory {
        /** @throws IllegalArgumentException if it can never run: another attempt would fail alike */
        Application create(AppMasterContext context) throws IOException;
    }

    /**
     * The ResourceManager knows of this ApplicationMaster.
     *
     * @param link whether the ResourceManager hears what is asked
     * @param lateMs how much later than this ApplicationMaster a node may register at a ResourceManager that has taken over, ms
     * @param isAbandoned whether the ResourceManager wants this attempt to end without a word
     */
    record Registered(
            AMRMClientAsync<ContainerRequest> client,
            YarnEvents events,
            RmLink link,
            RegisterApplicationMasterResponse response,
            long lateMs,
            BooleanSupplier isAbandoned) {
        /**
         * Containers of earlier ApplicationMasters. Where some are missing of those that the last one has written down, it waits
         * until they come, or have ended, or a ResourceManager that has just taken over would know them.
         *
         * @param saved ids of what the last one had
         */
        public List<Container> inherited(Set<String> saved) throws InterruptedException {
            List<Container> inherited = new ArrayList<>(response.getContainersFromPreviousAttempts());
            Set<String> missing = new HashSet<>(saved);
            inherited.forEach(container -> missing.remove(container.getId().toString()));
            if (!missing.isEmpty()) {
                inherited.addAll(events.awaitInherited(missing, lateMs));
            }
            return inherited;
        }
    }

    /** Where it answers to its clients. */
    int port();

    /**
     * Runs it to its end. What it throws makes YARN start another attempt.
     */
    Outcome run(Registered registered) throws IOException, InterruptedException;

    @Override
    default void close() {}
}
