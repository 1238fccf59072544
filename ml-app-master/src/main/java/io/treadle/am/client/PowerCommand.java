// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code treadle power …}: what the cluster draws and may draw. */
final class PowerCommand {
    static final Arguments.Grammar GRAMMAR = new Arguments.Grammar(
            Set.of("--help", "--json", "--watch", "--cluster"),
            Set.of("--queue", "--watts", "--budget"),
            Set.of(Arguments.DEFINE));

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long INTERVAL_MS = 2000;

    private final ProfileCommand.Service service;
    private final Console console;
    private final PowerText text;

    /** @param unicode whether the terminal shows more than ASCII */
    PowerCommand(ProfileCommand.Service service, Console console, boolean unicode) {
        this.service = service;
        this.console = console;
        this.text = new PowerText(unicode);
    }

    int run(Arguments arguments) throws InterruptedException {
        List<String> words = arguments.words();
        if (words.isEmpty()) {
            return show(arguments);
        }
        if (!words.equals(List.of("set"))) {
            throw new UsageException("'power' is given " + String.join(" ", words)
                    + ", must be given nothing or 'set'.\nMaybe 'power set --cluster --watts 12000'.");
        }
        return set(arguments);
    }

    private int show(Arguments arguments) throws InterruptedException {
        for (String option : List.of("--queue", "--cluster", "--watts", "--budget")) {
            if (arguments.has(option)) {
                throw new UsageException("option " + option + " means nothing to 'power', only to 'power set'");
            }
        }
        if (arguments.has("--json") && arguments.has("--watch")) {
            throw new UsageException("options --json and --watch are given, must be one of them");
        }
        if (arguments.has("--json")) {
            console.out().println(pretty(service.call("GET", "power", Optional.empty())));
            return Cli.OK;
        }
        while (true) {
            JsonNode report = service.call("GET", "power?history=hour", Optional.empty());
            boolean again = arguments.has("--watch") && console.terminal();
            if (again) {
                // Home, then erase the screen.
                console.out().command("\u001b[H\u001b[2J");
            }
            console.out().print(text.report(report));
            if (!again) {
                return Cli.OK;
            }
            Thread.sleep(INTERVAL_MS);
        }
    }

    private int set(Arguments arguments) {
        for (String option : List.of("--json", "--watch")) {
            if (arguments.has(option)) {
                throw new UsageException("option " + option + " means nothing to 'power set', only to 'power'");
            }
        }
        Optional<String> queue = arguments.value("--queue");
        if (queue.isPresent() == arguments.has("--cluster")) {
            throw new UsageException("'power set' needs either --queue with a queue's full path or --cluster.\n"
                    + "Maybe 'power set --cluster --watts 12000'.");
        }
        Optional<String> watts = arguments.value("--watts");
        Optional<String> budget = arguments.value("--budget");
        if (watts.isEmpty() && budget.isEmpty()) {
            throw new UsageException(
                    "'power set' needs --watts with watts such as 12000, or --budget with an energy budget"
                            + " such as '500 kWh/day'; each can be 'none' for no budget, or 'setting' for what the cluster's settings"
                            + " say");
        }
        ObjectNode change = MAPPER.createObjectNode();
        queue.ifPresentOrElse(q -> change.put("queue", q), () -> change.put("cluster", true));
        watts.ifPresent(w -> put(change, w));
        budget.ifPresent(b -> change.put("budget", b.trim()));
        JsonNode answer = service.call("PUT", "power/budget", Optional.of(change.toString()));
        String whose = queue.map(q -> "queue " + q).orElse("the cluster");
        console.err().println("the power budget of " + whose + " is now " + PowerText.budget(answer));
        if (answer.path("energyBudget").isObject()) {
            console.err().println("its energy budget: " + PowerText.energyBudget(answer.path("energyBudget")));
        }
        if (!answer.path("kept").asBoolean(true)) {
            console.err().println("It is gone with the ResourceManager: the cluster has no ZooKeeper to keep it.");
        }
        answer.path("warnings").forEach(warning -> console.err().println(warning.asText()));
        return Cli.OK;
    }

    private static void put(ObjectNode change, String watts) {
        String value = watts.trim().toLowerCase(Locale.ROOT);
        if (value.equals("none")) {
            change.putNull("watts");
        } else if (value.equals("setting")) {
            change.put("watts", "setting");
        } else if (value.matches("[0-9]{1,9}(\\.[0-9]{1,3})?")) {
            change.put("watts", Double.parseDouble(value));
        } else {
            throw new UsageException("option --watts is given '" + watts
                    + "', must be given watts such as 12000, 'none' for no budget, or 'setting' for what the cluster's"
                    + " settings say");
        }
    }

    private static String pretty(JsonNode json) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
