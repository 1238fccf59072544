// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.am.spec.JobSpec;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Submits a job as {@code yarn jar} does. */
public interface JobLauncher {
    /** @throws Exception whatever kept the job from being accepted; its message is for people */
    ApplicationId submit(JobSpec spec) throws Exception;
}
