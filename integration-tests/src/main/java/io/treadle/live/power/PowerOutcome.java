// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.DemoResult;
import java.util.List;
import java.util.Map;

/**
 * What a mix of jobs did.
 *
 * @param joules of each job's GPUs, by the job's name, J
 * @param samples what was drawn, once a second
 * @param profiles what is kept of the jobs' models, by model tag
 */
record PowerOutcome(
        List<DemoResult.Job> jobs,
        Map<String, Double> joules,
        List<PowerWatch.Sample> samples,
        Map<String, ProfileRecord> profiles) {}
