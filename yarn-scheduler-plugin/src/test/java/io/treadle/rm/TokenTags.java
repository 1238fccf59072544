// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;

/** Allocation tags of a container as a NodeManager reads them: from its token. */
public final class TokenTags {
    private TokenTags() {}

    /** @throws UncheckedIOException if the token cannot be read */
    public static Set<String> of(Container container) {
        try {
            return BuilderUtils.newContainerTokenIdentifier(container.getContainerToken())
                    .getAllcationTags();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
