// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * What a {@code query} is to do.
 *
 * @param application empty where {@code url} says where the service is
 * @param workflow empty to be told which there are
 * @param inputs values by name, as they are given
 * @param data file with the whole query instead, or {@code -}
 * @param outputs which the answer is to have; all where there are none
 * @param retries whether to ask again what did not answer
 */
record QueryRequest(
        Optional<ApplicationId> application,
        Optional<String> url,
        Optional<String> secretFile,
        Optional<String> workflow,
        Map<String, String> inputs,
        Optional<String> data,
        Set<String> outputs,
        int deadlineMs,
        boolean json,
        boolean retries) {
    static final Arguments.Grammar GRAMMAR = new Arguments.Grammar(
            Set.of("--help", "--json", "--no-retry"),
            Set.of("--data", "--deadline-ms", "--secret-file", "--url"),
            Set.of("--input", "--output", Arguments.DEFINE));

    /** What a service takes where no deadline is given, and at most: docs/spec/query-http.md. */
    private static final int DEADLINE_MS = 30_000;

    private static final int LONGEST_DEADLINE_MS = 60_000;

    /** @throws UsageException if it means nothing */
    static QueryRequest of(Arguments arguments) {
        Optional<String> url = arguments.value("--url").map(Endpoint::base);
        List<String> words = arguments.words();
        Optional<ApplicationId> application = Optional.empty();
        if (url.isEmpty()) {
            application = Optional.of(JobCommands.idIn(words.subList(0, Math.min(1, words.size()))));
            words = words.subList(1, words.size());
        } else if (arguments.value("--secret-file").isEmpty()) {
            throw new UsageException("option --url is given without --secret-file, must be given with the file that"
                    + " holds your secret");
        }
        if (words.size() > 1) {
            throw new UsageException("'query' is given " + String.join(" ", words) + ", must be given one workflow"
                    + (url.isPresent() ? ", for --url says which service" : " after the application id")
                    + ".\nMaybe quote what belongs to an option: --input 'x=[[1, 2]]'.");
        }
        QueryRequest request = new QueryRequest(
                application,
                url,
                arguments.value("--secret-file"),
                words.stream().findFirst(),
                inputs(arguments.all("--input")),
                arguments.value("--data"),
                new LinkedHashSet<>(arguments.all("--output")),
                arguments.value("--deadline-ms").map(QueryRequest::deadline).orElse(DEADLINE_MS),
                arguments.has("--json"),
                !arguments.has("--no-retry"));
        request.check();
        return request;
    }

    private void check() {
        if (data.isPresent() && !inputs.isEmpty()) {
            throw new UsageException("options --data and --input are given, must be one of them");
        }
        if (data.isPresent() && !outputs.isEmpty()) {
            throw new UsageException("option --output means nothing with --data, whose query names its outputs itself");
        }
        if (workflow.isEmpty() && isQuery()) {
            throw new UsageException("'query' is given no workflow to ask, must be one.\nMaybe 'query "
                    + application.map(ApplicationId::toString).orElse("--url …") + "' says which there are.");
        }
        if (!isQuery() && !outputs.isEmpty()) {
            throw new UsageException("option --output means nothing without --input");
        }
    }

    /** Whether something is asked, and not which workflows there are or what one takes. */
    boolean isQuery() {
        return data.isPresent() || !inputs.isEmpty();
    }

    private static Map<String, String> inputs(List<String> given) {
        Map<String, String> inputs = new LinkedHashMap<>();
        for (String input : given) {
            int equals = input.indexOf('=');
            if (equals < 1) {
                throw new UsageException("option --input is given '" + input
                        + "', must be given NAME=VALUE, such as 'x=[[1, 2]]', or NAME=@FILE");
            }
            String name = input.substring(0, equals);
            if (inputs.putIfAbsent(name, input.substring(equals + 1)) != null) {
                throw new UsageException("input '" + name + "' is given twice, must be given once");
            }
        }
        return inputs;
    }

    private static int deadline(String given) {
        int ms = given.matches("[0-9]{1,9}") ? Integer.parseInt(given) : 0;
        if (ms < 1 || ms > LONGEST_DEADLINE_MS) {
            throw new UsageException("option --deadline-ms is given '" + given
                    + "', must be a whole number of ms from 1 to " + LONGEST_DEADLINE_MS);
        }
        return ms;
    }
}
