// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.spec.JobSpecException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Runs one command line and answers with an exit code. */
final class Cli {
    static final int OK = 0;
    /** The job failed. */
    static final int FAILED = 1;
    /** The command was wrong, or the cluster refused it. */
    static final int REFUSED = 2;

    static final List<String> COMMANDS =
            List.of("submit", "serve", "status", "logs", "kill", "explain", "top", "profile", "power", "query");

    private static final Arguments.Grammar PLAIN =
            new Arguments.Grammar(Set.of("--help"), Set.of(), Set.of(Arguments.DEFINE));
    private static final Arguments.Grammar LOGS =
            new Arguments.Grammar(Set.of("--help", "--all"), Set.of(), Set.of(Arguments.DEFINE));

    /** Connects to a cluster. */
    interface Connector {
        TreadleClient connect(Configuration conf);
    }

    private final Configuration conf;
    private final Console console;
    private final Connector connector;
    private final ShutdownHooks hooks;
    private final InstantSource clock;

    Cli(Configuration conf, Console console, Connector connector, ShutdownHooks hooks, InstantSource clock) {
        this.conf = conf;
        this.console = console;
        this.connector = connector;
        this.hooks = hooks;
        this.clock = clock;
    }

    int run(List<String> arguments) {
        try {
            boolean named = !arguments.isEmpty() && COMMANDS.contains(arguments.get(0));
            String command = named ? arguments.get(0) : "submit";
            List<String> rest = named ? arguments.subList(1, arguments.size()) : arguments;
            return command.equals("submit") ? submit(rest) : other(command, rest);
        } catch (UsageException | JobSpecException | ClientException e) {
            console.err().println("treadle: " + e.getMessage());
            return REFUSED;
        } catch (IllegalArgumentException e) {
            console.err().println("treadle: " + Causes.message(e));
            return REFUSED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    private int submit(List<String> rest) throws InterruptedException {
        Arguments arguments = Arguments.parse(SubmitRequest.GRAMMAR, rest);
        if (arguments.has("--help") || rest.isEmpty()) {
            console.out().print(Help.TEXT);
            return rest.isEmpty() ? REFUSED : OK;
        }
        if (arguments.has("--version")) {
            console.out().println(Help.version());
            return OK;
        }
        SubmitRequest request = SubmitRequest.of(arguments);
        define(arguments);
        try (TreadleClient client = connector.connect(conf)) {
            return new SubmitCommand(client, console, hooks, clock).run(request);
        }
    }

    private int other(String command, List<String> rest) throws InterruptedException {
        Arguments arguments = Arguments.parse(
                switch (command) {
                    case "serve" -> ServeCommand.GRAMMAR;
                    case "logs" -> LOGS;
                    case "profile" -> ProfileCommand.GRAMMAR;
                    case "power" -> PowerCommand.GRAMMAR;
                    case "query" -> QueryRequest.GRAMMAR;
                    default -> PLAIN;
                },
                rest);
        if (arguments.has("--help")) {
            console.out().print(Help.of(command));
            return OK;
        }
        if (arguments.command().isPresent()) {
            throw new UsageException("'" + command + "' takes no command after '--'.\nMaybe 'submit'.");
        }
        define(arguments);
        if (command.equals("logs")) {
            return JobCommands.logs(conf, console, JobCommands.idIn(arguments.words()), arguments.has("--all"));
        }
        if (command.equals("profile")) {
            try (WebConnections connections = new WebConnections(conf)) {
                ResourceManagerRest services = new ResourceManagerRest(conf, connections);
                return new ProfileCommand(services::call, console, clock, console.drawsUnicode()).run(arguments);
            }
        }
        if (command.equals("power")) {
            try (WebConnections connections = new WebConnections(conf)) {
                ResourceManagerRest services = new ResourceManagerRest(conf, connections);
                return new PowerCommand(services::call, console, console.drawsUnicode()).run(arguments);
            }
        }
        if (command.equals("query")) {
            return query(QueryRequest.of(arguments));
        }
        if (command.equals("top") && !arguments.words().isEmpty()) {
            throw new UsageException("'top' takes no arguments, but is given " + String.join(", ", arguments.words())
                    + ".\nMaybe 'status " + arguments.words().get(0) + "'.");
        }
        if (command.equals("serve")) {
            ServeCommand serve = ServeCommand.of(arguments, console);
            try (TreadleClient client = connector.connect(conf)) {
                return serve.run(client);
            }
        }
        try (TreadleClient client = connector.connect(conf)) {
            JobCommands commands = new JobCommands(client, console);
            return switch (command) {
                case "status" -> commands.status(JobCommands.idIn(arguments.words()));
                case "kill" -> commands.kill(JobCommands.idIn(arguments.words()));
                case "explain" -> commands.explain(JobCommands.idIn(arguments.words()));
                default -> commands.top();
            };
        }
    }

    private int query(QueryRequest request) throws InterruptedException {
        Optional<String> secret = request.secretFile().map(SecretFile::read);
        QueryCommand command = new QueryCommand(console, System.in, InferClient.Time.SYSTEM);
        if (request.application().isEmpty()) {
            Endpoint endpoint = new Endpoint(request.url().orElseThrow(), secret.orElseThrow());
            return command.run(request, () -> endpoint);
        }
        ApplicationId id = request.application().get();
        try (TreadleClient client = connector.connect(conf)) {
            ServiceFinder finder = secret.<ServiceFinder>map(own -> service -> client.service(service, own))
                    .orElse(client::service);
            return command.run(request, new Ingresses(() -> Endpoint.of(finder.find(id))));
        }
    }

    private void define(Arguments arguments) {
        for (String definition : arguments.all(Arguments.DEFINE)) {
            int equals = definition.indexOf('=');
            if (equals < 1) {
                throw new UsageException("option -D is given '" + definition + "', must be given NAME=VALUE");
            }
            conf.set(definition.substring(0, equals), definition.substring(equals + 1));
        }
    }
}
