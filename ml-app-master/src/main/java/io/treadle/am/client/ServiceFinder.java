// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Finds services of the cluster. */
interface ServiceFinder {
    /**
     * @throws UnansweredException if it is not there yet, or is being started again
     * @throws ClientException if it is no service, is over, or its secret cannot be read
     */
    ServiceAddress find(ApplicationId id);
}
