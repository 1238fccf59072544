// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.yarn;

import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The REST of a ResourceManager, whose answers are put into a file as {@code curl} would. */
public final class ResourceManager {
    /** What says which nodes there are; the last is Treadle's own and may be missing. */
    private static final String NODES = "/ws/v1/cluster/nodes?states=RUNNING";

    private static final String SCHEDULER = "/ws/v1/cluster/scheduler";
    private static final String TREADLE_NODES = "/ws/v1/treadle/nodes?limit=10000";
    private static final String APPLICATIONS =
            "/ws/v1/cluster/apps?states=FINISHED,FAILED,KILLED&deSelects=resourceRequests";

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofMinutes(2);
    private static final int SHOWN = 60;

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            // A standby ResourceManager sends its callers to the active one.
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    private ResourceManager(URI address) {
        this.address = address;
    }

    /** Whether this is the address of one rather than a file. */
    public static boolean isAddress(String text) {
        return text.startsWith("http://") || text.startsWith("https://");
    }

    /** @throws InputException if it is no address of a host */
    public static ResourceManager at(String text) {
        try {
            URI address = new URI(text);
            if (address.getHost() != null) {
                return new ResourceManager(address);
            }
        } catch (URISyntaxException e) {
            throw noAddress(text, e);
        }
        throw noAddress(text, null);
    }

    private static InputException noAddress(String text, @org.jspecify.annotations.Nullable Throwable cause) {
        String message = "'" + text + "' is no address, must be one of a ResourceManager such as http://rm:8088.";
        return cause == null ? new InputException(message) : new InputException(message, cause);
    }

    /** A file of its nodes and queues, gone when the program ends. */
    public Path nodes() {
        return hasPath() ? file(List.of("")) : file(List.of(NODES, SCHEDULER, TREADLE_NODES));
    }

    /** A file of the applications that it remembers and that have ended, gone when the program ends. */
    public Path applications() {
        return file(List.of(hasPath() ? "" : APPLICATIONS));
    }

    /** Somebody who names a path wants that very answer. */
    private boolean hasPath() {
        return address.getPath() != null && address.getPath().length() > 1;
    }

    private Path file(List<String> paths) {
        try {
            Path directory = Files.createTempDirectory("treadle-");
            Path file = directory.resolve(address.getHost() + (address.getPort() < 0 ? "" : "-" + address.getPort()));
            directory.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(file)) {
                for (String path : paths) {
                    Optional<byte[]> answer = ask(path);
                    if (answer.isPresent()) {
                        out.write(answer.get());
                        out.write('\n');
                    }
                }
            }
            return file;
        } catch (IOException e) {
            throw new InputException("cannot keep the answers of " + address + ": " + e.getMessage() + ".", e);
        }
    }

    /** Empty where only Treadle would know, and is not there. */
    private Optional<byte[]> ask(String path) {
        URI question = path.isEmpty() ? address : address.resolve(path);
        HttpResponse<InputStream> response = send(question);
        try (InputStream body = response.body()) {
            byte[] answer = body.readAllBytes();
            if (response.statusCode() == 404 && path.equals(TREADLE_NODES)) {
                return Optional.empty();
            }
            if (response.statusCode() == 401 || response.statusCode() == 403) {
                throw new InputException(question + " answers " + response.statusCode()
                        + ": it wants to know who asks, as with Kerberos.\nMaybe let curl ask and give the file: curl"
                        + " --negotiate -u : '" + question + "' > answer.json");
            }
            if (response.statusCode() != 200) {
                throw new InputException(question + " answers " + response.statusCode()
                        + ", must be 200: is this a ResourceManager's web address, such as http://rm:8088?");
            }
            String begin = new String(answer, 0, Math.min(answer.length, SHOWN), StandardCharsets.UTF_8).trim();
            if (!begin.startsWith("{")) {
                throw new InputException(
                        question + " answers '" + begin.lines().findFirst().orElse("")
                                + "', must be JSON: is this a ResourceManager's web address, such as http://rm:8088?");
            }
            return Optional.of(answer);
        } catch (IOException e) {
            throw broken(question, e);
        }
    }

    private HttpResponse<InputStream> send(URI question) {
        try {
            return client.send(
                    HttpRequest.newBuilder(question)
                            .timeout(ANSWER)
                            .header("Accept", "application/json")
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw broken(question, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw broken(question, e);
        }
    }

    private static InputException broken(URI question, Exception e) {
        String why = e instanceof ConnectException
                ? "there is no such host, or nothing listens there"
                : e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new InputException("no answer from " + question + ": " + why + ".", e);
    }
}
