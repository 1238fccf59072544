// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

/** Names that both sides of the runner's HTTP calls use (spec: {@code docs/spec/am-runner-http.md}). */
public final class RunnerProtocol {
    /** Header that carries the job's secret. */
    public static final String SECRET_HEADER = "X-Treadle-Secret";

    public static final String REGISTER = "/v1/register";
    public static final String REPORT = "/v1/report";
    public static final String FINISHED = "/v1/finished";
    /** On the runner: a new ApplicationMaster says where it is. */
    public static final String ANNOUNCE = "/v1/announce";

    /** The ApplicationMaster does not know the runner's registration: register again. */
    public static final int STATUS_REGISTER_FIRST = 409;
    /** The container is none of the job's: end. */
    public static final int STATUS_GONE = 410;

    /** Name of the job's secret among the secret keys of a container's credentials. */
    public static final String JOB_SECRET = "treadle.job-secret";
    /** Set by YARN: the file with the container's credentials. */
    public static final String ENV_CREDENTIALS_FILE = "HADOOP_TOKEN_FILE_LOCATION";

    /** {@code host:port} of the ApplicationMaster. */
    public static final String ENV_AM_ADDRESS = "TREADLE_AM_ADDRESS";

    public static final String ENV_CONTAINER_ID = "TREADLE_CONTAINER_ID";
    public static final String ENV_LOG_DIR = "TREADLE_LOG_DIR";
    /** How long a worker goes on without its ApplicationMaster, seconds. */
    public static final String ENV_AM_TIMEOUT_SECONDS = "TREADLE_AM_TIMEOUT_SECONDS";
    /**
     * Where nothing else is said. YARN finds a lost node after its expiry, 600 s (a lost ApplicationMaster 900 s), and up to a
     * third more, and the next ApplicationMaster has to start then.
     */
    public static final int AM_TIMEOUT_SECONDS = 1_800;
    /** Time between SIGTERM and SIGKILL, seconds. */
    public static final String ENV_STOP_GRACE_SECONDS = "TREADLE_STOP_GRACE_SECONDS";

    /** The container runtime that the job asks for, {@code docker} or {@code runc}; unset for a plain process. */
    public static final String ENV_CONTAINER_RUNTIME = "TREADLE_CONTAINER_RUNTIME";
    /** The image that the job asks for. */
    public static final String ENV_CONTAINER_IMAGE = "TREADLE_CONTAINER_IMAGE";

    private RunnerProtocol() {}
}
