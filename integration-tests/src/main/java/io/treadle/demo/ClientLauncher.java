// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.am.client.TreadleClient;
import io.treadle.am.spec.JobSpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Submits through the client class that {@code yarn jar} runs. */
public final class ClientLauncher implements JobLauncher, AutoCloseable {
    private final TreadleClient client;

    public ClientLauncher(Configuration configuration) {
        client = TreadleClient.connect(configuration);
    }

    @Override
    public synchronized ApplicationId submit(JobSpec spec) {
        return client.submit(spec);
    }

    public void kill(ApplicationId id) {
        client.kill(id);
    }

    @Override
    public void close() {
        client.close();
    }
}
