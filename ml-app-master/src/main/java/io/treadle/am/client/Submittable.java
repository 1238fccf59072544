// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.spec.JobSpec;
import io.treadle.core.wire.GangSpec;
import java.util.Map;

/**
 * What is handed in to a cluster.
 *
 * @param spec its containers and their files
 * @param type of the application, as YARN shows it
 * @param master its ApplicationMaster's class
 * @param isGang whether its containers start together, by Treadle's scheduler
 * @param texts files that its ApplicationMaster finds beside it, by name
 * @param secrets files that only who has its staging directory reads, by name
 */
record Submittable(
        JobSpec spec,
        String type,
        String master,
        boolean isGang,
        Map<String, String> texts,
        Map<String, String> secrets) {
    private static final String JOB_MASTER = "io.treadle.am.master.TreadleAppMaster";
    private static final String SERVICE_MASTER = "io.treadle.am.service.ServiceMaster";

    Submittable {
        texts = Map.copyOf(texts);
        secrets = Map.copyOf(secrets);
    }

    static Submittable job(JobSpec spec) {
        return new Submittable(spec, GangSpec.APPLICATION_TYPE, JOB_MASTER, true, Map.of(), Map.of());
    }

    static Submittable service(JobSpec spec, Map<String, String> texts, Map<String, String> secrets) {
        return new Submittable(spec, ServiceProtocol.APPLICATION_TYPE, SERVICE_MASTER, false, texts, secrets);
    }

    boolean isService() {
        return master.equals(SERVICE_MASTER);
    }

    /** Secrets never show in logs. */
    @Override
    public String toString() {
        return type + " " + spec.name();
    }
}
