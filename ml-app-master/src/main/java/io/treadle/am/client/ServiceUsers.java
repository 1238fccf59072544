// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.protocol.ServiceProtocol;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;

/** Who may ask a service, as its staging directory has it: {@code {"user": "secret", …}}. */
final class ServiceUsers {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MOST_BYTES = 1 << 20;
    private static final String ADVICE = "\nMaybe the service is somebody else's, who can give you a secret:"
            + " --secret-file names the file with it.";

    private ServiceUsers() {}

    /**
     * @param user who asks; where the service does not know the name but has one user alone, it is that one
     * @throws ClientException if there is no secret for the user
     */
    static String secret(StagingDirectory staging, String user) {
        Path file = new Path(staging.path(), ServiceProtocol.USERS_FILE);
        JsonNode users = read(staging, file);
        Optional<JsonNode> own =
                Optional.ofNullable(users.get(user)).or(() -> users.size() == 1 ? only(users) : Optional.empty());
        if (own.isEmpty()) {
            throw new ClientException("the service's users by '" + file + "' are " + names(users) + ", must have '"
                    + user + "' among them." + ADVICE);
        }
        // What is none must not show either, nor come into a header, whose refusal would show it.
        if (!own.get().isTextual() || !SecretFile.isSecret(own.get().asText())) {
            throw new ClientException("'" + file + "' has no secret for '" + user
                    + "', must be a text of printable ASCII characters without spaces." + ADVICE);
        }
        return own.get().asText();
    }

    private static Optional<JsonNode> only(JsonNode users) {
        return Optional.of(users.elements().next());
    }

    private static Set<String> names(JsonNode users) {
        Set<String> names = new TreeSet<>();
        users.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static JsonNode read(StagingDirectory staging, Path file) {
        try (InputStream in = staging.fileSystem().open(file)) {
            JsonNode users = MAPPER.readTree(LocalFile.read(in, "'" + file + "'", MOST_BYTES, "users and secrets"));
            if (users == null || !users.isObject()) {
                throw new ClientException("'" + file + "' must be a JSON object of users and their secrets." + ADVICE);
            }
            return users;
        } catch (FileNotFoundException e) {
            throw new ClientException("there is no file '" + file + "' with the service's secrets." + ADVICE, e);
        } catch (JsonProcessingException e) {
            // Its message may quote the file.
            throw new ClientException(
                    "'" + file + "' is no JSON, must be an object of users and their secrets." + ADVICE);
        } catch (IOException e) {
            throw new ClientException("'" + file + "' cannot be read: " + Causes.message(e) + ADVICE, e);
        }
    }
}
