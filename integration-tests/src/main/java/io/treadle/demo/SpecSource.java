// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.am.spec.JobSpec;

/** Writes a demo job as the specification that any user would submit. */
public interface SpecSource {
    /** @param profiled whether the job measures its speed over vcores */
    JobSpec of(DemoJob job, String queue, boolean profiled);
}
