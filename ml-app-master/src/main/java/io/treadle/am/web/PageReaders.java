// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import java.util.Optional;

/** Who may read the pages of an application. */
public interface PageReaders {
    /** @param user the reader as YARN's proxy names it; empty where the proxy does not know the reader */
    boolean mayRead(Optional<String> user);
}
