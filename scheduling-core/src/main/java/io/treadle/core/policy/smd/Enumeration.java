// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at every size. */
final class Enumeration implements Sizer {
    @Override
    public Optional<PsSize> size(PsJob job, ResourceVector limit) {
        @Nullable PsSize best = null;
        double most = 0;
        for (int workers = job.least().workers(); workers <= job.most().workers(); workers++) {
            for (int servers = job.least().servers(); servers <= job.most().servers(); servers++) {
                double rate = job.rate(workers, servers);
                if (rate > most && job.use(workers, servers).fitsIn(limit)) {
                    most = rate;
                    best = new PsSize(workers, servers);
                }
            }
        }
        return Optional.ofNullable(best);
    }
}
