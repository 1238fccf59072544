// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** Starts a service, and returns once it answers queries; it goes on by itself. */
final class ServeCommand {
    static final Arguments.Grammar GRAMMAR = new Arguments.Grammar(
            Set.of("--help", "--detach", "--dry-run"), Set.of("--users"), Set.of(Arguments.DEFINE));

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int SECRET_BYTES = 24;

    private final ServiceFile service;
    private final String users;
    private final boolean isDryRun;
    private final boolean detaches;
    private final Console console;

    private ServeCommand(ServiceFile service, String users, boolean isDryRun, boolean detaches, Console console) {
        this.service = service;
        this.users = users;
        this.isDryRun = isDryRun;
        this.detaches = detaches;
        this.console = console;
    }

    /** Reads the files that the command names, before anybody waits for a cluster. */
    static ServeCommand of(Arguments arguments, Console console) {
        if (arguments.words().size() != 1) {
            throw new UsageException(
                    arguments.words().isEmpty()
                            ? "there is no service file.\nMaybe 'serve service.yaml'."
                            : "there are " + arguments.words().size() + " service files: "
                                    + String.join(", ", arguments.words()) + "; must be one.");
        }
        return new ServeCommand(
                ServiceFile.read(Path.of(arguments.words().get(0))),
                users(arguments),
                arguments.has("--dry-run"),
                arguments.has("--detach"),
                console);
    }

    int run(TreadleClient client) throws InterruptedException {
        if (isDryRun) {
            client.check(service);
            console.err().println("ok: the cluster can run this service; nothing was submitted");
            return Cli.OK;
        }
        ApplicationId id = client.serve(service, users);
        if (detaches) {
            console.out().println(id);
            return Cli.OK;
        }
        console.err()
                .println(id + " accepted: " + service.spec().name() + ", "
                        + service.spec().workers().count() + " workers");
        return awaitReady(client, id);
    }

    /** Who may ask: the user of this command, with a secret that is drawn, and those whom a file names. */
    private static String users(Arguments arguments) {
        ObjectNode users = MAPPER.createObjectNode();
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        try {
            users.put(
                    UserGroupInformation.getCurrentUser().getShortUserName(),
                    HexFormat.of().formatHex(secret));
        } catch (IOException e) {
            throw new ClientException("it is not known who you are: " + e.getMessage(), e);
        }
        arguments.value("--users").ifPresent(file -> {
            String right = "must be a JSON object of users and their secrets, such as {\"ann\": \"…\"}";
            try {
                JsonNode given = MAPPER.readTree(JobFile.text("file of users", Path.of(file)));
                if (!(given instanceof ObjectNode named)) {
                    throw new ClientException("'" + file + "' is no JSON object, " + right + ".");
                }
                for (Map.Entry<String, JsonNode> each : (Iterable<Map.Entry<String, JsonNode>>) named::fields) {
                    if (!each.getValue().isTextual()
                            || each.getValue().textValue().length() < 16) {
                        throw new ClientException("the secret of '" + each.getKey() + "' in '" + file
                                + "' must be a text of 16 characters or more.\nMaybe one of 'openssl rand -hex 16'.");
                    }
                    users.set(each.getKey(), each.getValue());
                }
            } catch (JsonProcessingException e) {
                throw new ClientException(
                        "'" + file + "' is no JSON (" + e.getOriginalMessage() + "), " + right + ".", e);
            }
        });
        return users.toString();
    }

    private int awaitReady(TreadleClient client, ApplicationId id) throws InterruptedException {
        String shown = "";
        while (true) {
            JobStatus status = client.status(id);
            if (status.isOver()) {
                console.err()
                        .println("treadle: " + id + " has ended"
                                + (status.diagnostics().isEmpty() ? "." : ":\n" + status.diagnostics()));
                console.err().println("Maybe its logs say more: yarn jar treadle-am.jar logs --all " + id);
                return Cli.FAILED;
            }
            String state = status.state() == YarnApplicationState.RUNNING
                    ? status.master().map(MasterStatus::state).orElse("starting")
                    : "waiting for its ApplicationMaster";
            if (!state.equals(shown)) {
                shown = state;
                console.err().println(" " + state);
            }
            if (state.equals("ready")) {
                show(id);
                return Cli.OK;
            }
            client.pause();
        }
    }

    private void show(ApplicationId id) {
        List<String> workflows = service.spec().workflows().stream()
                .map(workflow -> workflow.name())
                .toList();
        console.out().println(id);
        console.err()
                .println("It answers " + String.join(", ", workflows) + " and goes on by itself:\n"
                        + "  yarn jar treadle-am.jar query " + id + " " + workflows.get(0) + " --input NAME=VALUE\n"
                        + "  yarn jar treadle-am.jar status " + id + "\n"
                        + "  yarn jar treadle-am.jar kill " + id);
    }
}
