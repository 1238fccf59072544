// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what a client left that was killed without warning while it uploaded: the next submission of the same user
 * finds a directory of an application that YARN has never known.
 */
final class StaleStaging {
    private static final Logger LOG = LoggerFactory.getLogger(StaleStaging.class);
    /** No upload takes longer; a younger directory may be another client's at work. */
    private static final Duration AGE = Duration.ofHours(24);
    /** Bounds what one submission spends on it. */
    private static final int MOST = 20;

    private final YarnGateway gateway;
    private final InstantSource clock;

    StaleStaging(YarnGateway gateway, InstantSource clock) {
        this.gateway = gateway;
        this.clock = clock;
    }

    /** Never fails: a submission must not suffer for an earlier one. */
    void sweepBeside(StagingDirectory current) {
        try {
            int looked = 0;
            for (FileStatus entry : current.siblings()) {
                boolean old = clock.millis() - entry.getModificationTime() > AGE.toMillis();
                if (old && looked++ < MOST && isUnknown(entry.getPath().getName())) {
                    current.sibling(entry.getPath()).deleteAfter(false);
                    LOG.info("{} was left by a submission that never ended; it is removed", entry.getPath());
                }
            }
        } catch (FileNotFoundException e) {
            LOG.debug("there is no staging directory yet", e);
        } catch (IOException | YarnException | RuntimeException e) {
            LOG.debug("old staging directories cannot be looked at", e);
        }
    }

    private boolean isUnknown(String name) throws IOException, YarnException {
        if (!name.matches("application_[0-9]+_[0-9]+")) {
            return false;
        }
        try {
            gateway.report(ApplicationId.fromString(name));
            return false;
        } catch (ApplicationNotFoundException e) {
            return true;
        }
    }
}
