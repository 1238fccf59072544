// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Addresses of pages, below the ResourceManager's own prefix. */
@FunctionalInterface
interface Links {
    /** The address of a page of the ResourceManager, by the parts of its path. */
    String to(String... parts);

    default String cluster() {
        return to("treadle");
    }

    default String job(ApplicationId id) {
        return to("treadle", "job", id.toString());
    }

    /** YARN's own page of an application. */
    default String application(ApplicationId id) {
        return to("app", id.toString());
    }

    static String node(String httpAddress) {
        return httpAddress.isEmpty() ? "" : "//" + httpAddress + "/node";
    }
}
