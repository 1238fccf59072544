// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import io.treadle.am.yarn.RmLink;
import io.treadle.am.yarn.YarnEvents;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
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
     * @param isAbandoned whether the ResourceManager wants this attempt to end without a word
     */
    record Registered(
            AMRMClientAsync<ContainerRequest> client,
            YarnEvents events,
            RmLink link,
            RegisterApplicationMasterResponse response,
            BooleanSupplier isAbandoned) {}

    /** Where it answers to its clients. */
    int port();

    /**
     * Runs it to its end.
     *
     * @throws IllegalArgumentException as {@link Factory#create}
     */
    Outcome run(Registered registered) throws IOException, InterruptedException;

    @Override
    default void close() {}
}
