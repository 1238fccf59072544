// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.Optional;

/** Knows the applications that are in the cluster, those of Treadle and others. */
public interface Owners {
    /** Empty for one that has ended or that the ResourceManager does not know. */
    Optional<Owner> of(String application);
}
