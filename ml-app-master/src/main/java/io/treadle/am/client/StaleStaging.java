// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what clients left that were killed without warning while they uploaded, and what nobody was left to remove
 * when a job ended: the next submission of the same user finds a directory without signs of life, of an application that
 * YARN has never known or that is over.
 */
final class StaleStaging {
    private static final Logger LOG = LoggerFactory.getLogger(StaleStaging.class);
    /** A client at work is seen every minute; an ApplicationMaster that ends needs less than this to clean up. */
    private static final Duration AGE = Duration.ofMinutes(10);
    /** Bounds what one submission spends on it. */
    private static final int MOST = 20;

    private final YarnGateway gateway;

    StaleStaging(YarnGateway gateway) {
        this.gateway = gateway;
    }

    /**
     * Never fails: a submission must not suffer for an earlier one.
     *
     * @param current has just been made: its age tells the time by the file system's clock
     */
    void sweepBeside(StagingDirectory current) {
        try {
            long now = current.lastLifeMs();
            int looked = 0;
            for (FileStatus entry : current.siblings()) {
                boolean old = now - entry.getModificationTime() > AGE.toMillis();
                if (old && looked < MOST && entry.getPath().getName().matches("application_[0-9]+_[0-9]+")) {
                    looked += sweep(current.sibling(entry.getPath()), now) ? 1 : 0;
                }
            }
        } catch (IOException | YarnException | RuntimeException e) {
            LOG.debug("old staging directories cannot be looked at", e);
        }
    }

    /** Returns whether YARN had to be asked. */
    private boolean sweep(StagingDirectory left, long now) throws IOException, YarnException {
        boolean young = now - left.lastLifeMs() <= AGE.toMillis();
        // This ResourceManager knows nothing of the jobs of another.
        if (young || left.holdsCheckpointsAlone() || left.isOfAnotherCluster()) {
            return false;
        }
        try {
            JobStatus status = JobStatus.of(
                    gateway.report(ApplicationId.fromString(left.path().getName())), Optional.empty());
            if (status.isOver()) {
                remove(left, status.succeeded());
            }
        } catch (ApplicationNotFoundException e) {
            remove(left, false);
        }
        return true;
    }

    private static void remove(StagingDirectory left, boolean succeeded) throws IOException {
        left.deleteAfter(succeeded);
        LOG.info("{} was left by a submission or a job that is over; it is removed", left.path());
    }
}
