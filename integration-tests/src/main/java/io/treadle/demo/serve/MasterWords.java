// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.client.MasterStatus;
import io.treadle.am.client.TreadleClient;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** What an ApplicationMaster says of itself. */
public final class MasterWords {
    private static final int TRIES = 10;
    private static final long PAUSE_NANOS = 300_000_000;

    private MasterWords() {}

    /** On a busy machine a page may not answer at once: it is asked a few times; empty where none of them was of use. */
    public static Optional<MasterStatus> of(TreadleClient client, ApplicationId id) {
        for (int i = 1; i < TRIES; i++) {
            Optional<MasterStatus> said = client.status(id).master();
            if (said.isPresent()) {
                return said;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return client.status(id).master();
    }
}
