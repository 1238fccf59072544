// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

/** Names that a service's client, its ApplicationMaster and its workers use. */
public final class ServiceProtocol {
    /** Not one of the scheduler's gangs: workers come and go one by one. */
    public static final String APPLICATION_TYPE = "TREADLE-SERVICE";

    /** What the service is, as its user wrote it: the ApplicationMaster finds it beside it. */
    public static final String SPEC_FILE = "service.yaml";

    /** Who may ask, in the staging directory alone: a JSON object of users' secrets. */
    public static final String USERS_FILE = "users.json";

    /** ONNX Runtime with its native code, in a jar of its own: training jobs do without its size. */
    public static final String ONNX_JAR = "treadle-onnx.jar";

    /** On the ApplicationMaster: a worker says where it listens. */
    public static final String REGISTER = "/v1/worker";

    /** Of a worker: how many threads a model may use. */
    public static final String ENV_THREADS = "TREADLE_WORKER_THREADS";

    /** Of a worker: what models may take together, MiB; not there where that is all of its GPU, or half of its container's. */
    public static final String ENV_MODEL_MEMORY_MIB = "TREADLE_WORKER_MODEL_MEMORY_MIB";

    private ServiceProtocol() {}
}
