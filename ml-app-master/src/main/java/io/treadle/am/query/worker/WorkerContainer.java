// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.protocol.ContainerCheck;
import io.treadle.am.protocol.CredentialsFile;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.query.wire.FrameCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker in its container: tells the master where it listens, and serves whichever master connects. One that has had none
 * for too long ends, as nobody may be there who would end it.
 */
public final class WorkerContainer {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerContainer.class);

    /** The master was away for longer than a worker stays without it. */
    private static final int EXIT_ALONE = 3;

    private static final int TIMEOUT_MS = 5_000;
    private static final long LOOK_MS = 500;
    /** As the master's: a message of a worker's is one of the master's to another. */
    private static final int MOST_FRAME_BYTES = 256 << 20;

    private final String containerId;
    private final String masterAddress;
    private final String secret;
    private final String host;
    private final Duration alone;

    private WorkerContainer(Map<String, String> env) throws IOException {
        ContainerCheck.missing(env, Path.of("/")).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        containerId = required(env, RunnerProtocol.ENV_CONTAINER_ID);
        masterAddress = required(env, RunnerProtocol.ENV_AM_ADDRESS);
        secret = CredentialsFile.secret(
                Path.of(required(env, RunnerProtocol.ENV_CREDENTIALS_FILE)), RunnerProtocol.JOB_SECRET);
        host = env.getOrDefault("NM_HOST", "localhost");
        String seconds = env.get(RunnerProtocol.ENV_AM_TIMEOUT_SECONDS);
        alone = Duration.ofSeconds(seconds == null ? RunnerProtocol.AM_TIMEOUT_SECONDS : Long.parseLong(seconds));
    }

    private static String required(Map<String, String> env, String name) {
        String value = env.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(
                    "environment variable " + name
                            + " is missing.\nMaybe the worker was started by hand: only Treadle's ApplicationMaster starts it.");
        }
        return value;
    }

    /** Makes what answers queries in a worker. */
    public interface Hosting {
        /**
         * @param name of its desk, which no other of the service has
         * @param secret that all workers of the service know
         */
        PeerHost host(String name, String secret);
    }

    /** Returns the process's exit code. */
    public static int run(Map<String, String> env, ModelRuntime runtime, Hosting hosting) throws InterruptedException {
        try {
            return new WorkerContainer(env).serve(runtime, hosting);
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("the worker cannot start: {}", e.getMessage());
            return 1;
        }
    }

    private int serve(ModelRuntime runtime, Hosting hosting) throws IOException, InterruptedException {
        try (WorkerServer server = new WorkerServer(
                        new ServerSocket(0),
                        secret,
                        new FrameCodec(MOST_FRAME_BYTES),
                        runtime,
                        hosting.host(containerId, secret))
                .start()) {
            LOG.info("worker in {} listens at {}:{}", containerId, host, server.port());
            boolean isKnown = false;
            long lastNanos = System.nanoTime();
            while (System.nanoTime() - lastNanos < alone.toNanos()) {
                if (server.hasMaster()) {
                    isKnown = true;
                    lastNanos = System.nanoTime();
                } else if (!isKnown) {
                    int status = register(server.port());
                    isKnown = status == HttpURLConnection.HTTP_OK;
                    if (status == RunnerProtocol.STATUS_GONE) {
                        LOG.info("the master does not want this worker");
                        return 0;
                    }
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
        }
        LOG.error("no master for {} s: the worker ends", alone.toSeconds());
        return EXIT_ALONE;
    }

    /** @return the answer's status; 0 where there is none */
    private int register(int port) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://" + masterAddress + ServiceProtocol.REGISTER)
                            .toURL()
                            .openConnection();
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            connection.setRequestMethod("POST");
            connection.setRequestProperty(RunnerProtocol.SECRET_HEADER, secret);
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(new RegisterMessage(containerId, host, port).toJson().getBytes(StandardCharsets.UTF_8));
            }
            return connection.getResponseCode();
        } catch (IOException e) {
            LOG.info("the master at {} cannot be reached: {}", masterAddress, e.getMessage());
            return 0;
        }
    }
}
