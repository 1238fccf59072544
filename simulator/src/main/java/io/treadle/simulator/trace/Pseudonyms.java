// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/**
 * Other names for those of jobs, users and queues: the first 64 bits of HMAC-SHA-256 (RFC 2104) under a salt. The same
 * salt gives the same name to the same; who does not have it cannot try names out.
 */
public final class Pseudonyms {
    private static final int DIGITS = 16;

    private final HashFunction keyed;

    public Pseudonyms(byte[] salt) {
        keyed = Hashing.hmacSha256(salt);
    }

    /** @param kind tells equal names of different things apart, such as {@code user} */
    String of(String kind, String name) {
        return name.isEmpty()
                ? ""
                : kind.charAt(0)
                        + keyed.hashString(kind + ":" + name, StandardCharsets.UTF_8)
                                .toString()
                                .substring(0, DIGITS);
    }

    /** The jobs under other names, from the first submission on. */
    public Trace of(Trace trace, boolean keepQueues) {
        long zero = trace.jobs().stream().mapToLong(TraceJob::submitMs).min().orElse(0);
        return trace.with(trace.workload()
                .withJobs(trace.jobs().stream()
                        .map(job -> job.earlier(zero)
                                .called(
                                        of("job", job.id()),
                                        keepQueues ? job.queue() : of("queue", job.queue()),
                                        of("user", job.user())))
                        .toList()));
    }
}
