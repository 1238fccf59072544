// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Equal servers and workers: first come, first served, each with as many of both as its cap and what is left allow. */
final class Esw implements Chooser {
    @Override
    public Admission choose(Pool pool) {
        List<Sized> admitted = new ArrayList<>();
        ResourceVector left = pool.capacity();
        for (PsJob job : pool.jobs()) {
            Optional<PsSize> size = largest(job, job.cap().min(left));
            if (size.isPresent()) {
                admitted.add(new Sized(job, size.get()));
                left = left.minus(job.use(size.get()));
            }
        }
        return new Admission(admitted);
    }

    private static Optional<PsSize> largest(PsJob job, ResourceVector limit) {
        int from = Math.max(job.least().workers(), job.least().servers());
        for (int each = Math.min(job.most().workers(), job.most().servers()); each >= from; each--) {
            PsSize size = new PsSize(each, each);
            if (job.use(size).fitsIn(limit)) {
                return Optional.of(size);
            }
        }
        // One that can do with unlike numbers alone.
        return job.use(job.least()).fitsIn(limit) ? Optional.of(job.least()) : Optional.empty();
    }
}
