// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** What the job asks of the NodeManagers. */
interface NmGateway {
    /** Starts a runner in the container; a failure comes as {@link JobMaster#onStartFailed}. */
    void start(GrantedContainer container);
}
