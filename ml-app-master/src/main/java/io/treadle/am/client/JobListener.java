// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

/** Hears how a followed job goes on. */
public interface JobListener {
    /** Called at every look at the job, also if nothing has changed; the last call brings the final status. */
    void seen(JobStatus status);
}
