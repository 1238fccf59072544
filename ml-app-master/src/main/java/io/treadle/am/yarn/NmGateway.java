// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

/** What an application asks of the NodeManagers. */
public interface NmGateway {
    /** Starts the application's process in the container; a failure is told later. */
    void start(GrantedContainer container);
}
