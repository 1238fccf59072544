// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import io.treadle.core.hadoop.HadoopVersion;
import java.util.Optional;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a ResourceManager of a Hadoop that cannot work from starting: it would fail at the first call of what is missing. */
public final class HadoopCheck {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopCheck.class);

    private HadoopCheck() {}

    /**
     * @param version as Hadoop's {@code VersionInfo} says it
     * @throws YarnRuntimeException with the version found and what is needed
     */
    public static void check(String version) {
        HadoopVersion hadoop = new HadoopVersion(version);
        Optional<String> refusal = hadoop.refusal();
        if (refusal.isPresent()) {
            throw new YarnRuntimeException("treadle: " + refusal.get());
        }
        hadoop.warning().ifPresent(warning -> LOG.warn("treadle: {}", warning));
    }
}
