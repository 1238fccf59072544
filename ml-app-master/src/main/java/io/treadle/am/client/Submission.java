// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One submission under way. Until the ResourceManager has accepted it, it can be abandoned from any thread at any
 * moment, and then leaves neither files nor an application.
 */
final class Submission {
    private static final Logger LOG = LoggerFactory.getLogger(Submission.class);
    private static final long ABANDON_WAIT_SECONDS = 10;

    private final YarnGateway gateway;
    private final ApplicationId id;
    private final StagingDirectory staging;
    private final Thread worker = Thread.currentThread();
    private final ReentrantLock step = new ReentrantLock();
    private volatile boolean abandoned;
    private volatile boolean sent;
    private volatile boolean accepted;

    Submission(YarnGateway gateway, ApplicationId id, StagingDirectory staging) {
        this.gateway = gateway;
        this.id = id;
        this.staging = staging;
    }

    /** A part of the work that may leave something behind. */
    interface Step<T> {
        T run() throws IOException, YarnException;
    }

    /** @throws ClientException if the submission has been abandoned meanwhile */
    <T> T step(Step<T> work) throws IOException, YarnException {
        step.lock();
        try {
            if (abandoned) {
                throw new ClientException("the submission of " + id + " was interrupted; nothing is left of it");
            }
            return work.run();
        } finally {
            step.unlock();
        }
    }

    void send(ApplicationSubmissionContext context) throws IOException, YarnException {
        step(() -> {
            sent = true;
            gateway.submit(context);
            accepted = true;
            return id;
        });
    }

    /** Undoes whatever has been done; does nothing for a submission that was accepted. */
    void abandon() {
        if (accepted) {
            return;
        }
        abandoned = true;
        if (Thread.currentThread() != worker) {
            worker.interrupt();
        }
        boolean held = waitForStep();
        try {
            if (!accepted) {
                undo();
            }
        } finally {
            if (held) {
                step.unlock();
            }
        }
    }

    private boolean waitForStep() {
        try {
            return step.tryLock(ABANDON_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void undo() {
        if (sent) {
            try {
                gateway.kill(id, "its submission was not completed");
            } catch (IOException | YarnException | RuntimeException e) {
                LOG.debug("{} could not be killed, so it was probably never known", id, e);
            }
        }
        try {
            staging.delete();
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} could not be deleted", staging.path(), e);
        }
    }
}
