// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.am.spec.Nearest;
import io.treadle.core.wire.ProfileImport;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;

/** {@code treadle profile …}: what the ResourceManager keeps of jobs that have ended. */
final class ProfileCommand {
    static final List<String> VERBS = List.of("list", "show", "export", "import", "forget");
    static final Arguments.Grammar GRAMMAR = new Arguments.Grammar(
            Set.of("--help", "--replace", "--all"), Set.of("--user", "--gpu", "--batch"), Set.of(Arguments.DEFINE));

    private static final int MOST_NAMED = 20;
    private static final int MOST_BYTES = 4 * ProfileImport.MOST_CHARACTERS;

    /** Calls the ResourceManager. */
    interface Service {
        JsonNode call(String method, String path, Optional<String> body);
    }

    private final Service service;
    private final Console console;
    private final InstantSource clock;
    private final boolean unicode;

    /** @param unicode whether the terminal shows more than ASCII */
    ProfileCommand(Service service, Console console, InstantSource clock, boolean unicode) {
        this.service = service;
        this.console = console;
        this.clock = clock;
        this.unicode = unicode;
    }

    int run(Arguments arguments) {
        List<String> words = arguments.words();
        String verb = words.isEmpty() ? "" : words.get(0);
        if (!VERBS.contains(verb)) {
            throw new UsageException(
                    (verb.isEmpty() ? "'profile' needs a command" : "unknown command 'profile " + verb + "'")
                            + ", must be one of: " + String.join(", ", VERBS) + "."
                            + Nearest.of(verb, VERBS)
                                    .map(near -> "\nMaybe 'profile " + near + "'.")
                                    .orElse(""));
        }
        checkOptions(verb, arguments);
        List<String> names = words.subList(1, words.size());
        switch (verb) {
            case "list" -> list(arguments, names);
            case "show" -> show(one(arguments, name(verb, names, 1)));
            case "export" -> export(arguments, names);
            case "import" -> importFile(arguments, name(verb, names, 1));
            default -> forget(arguments, name(verb, names, 1));
        }
        return Cli.OK;
    }

    private static void checkOptions(String verb, Arguments arguments) {
        refuse(verb, arguments, "--replace", Set.of("import", "export"));
        refuse(verb, arguments, "--all", Set.of("forget"));
        if (verb.equals("import")) {
            refuse(verb, arguments, "--gpu", Set.of());
            refuse(verb, arguments, "--batch", Set.of());
        }
        arguments.value("--batch").ifPresent(batch -> {
            if (!batch.matches("[0-9]{1,18}")) {
                throw new UsageException(
                        "option --batch is given '" + batch + "', must be given a whole number (0: unknown)");
            }
        });
    }

    private static void refuse(String verb, Arguments arguments, String option, Set<String> where) {
        if (arguments.has(option) && !where.contains(verb)) {
            throw new UsageException("option " + option + " means nothing to 'profile " + verb + "'"
                    + (where.isEmpty()
                            ? ": the file says it"
                            : ", only to: "
                                    + String.join(", ", where.stream().sorted().toList())));
        }
    }

    private static String name(String verb, List<String> names, int most) {
        String thing = verb.equals("import") ? "a file" : "a model's name";
        if (names.isEmpty()) {
            throw new UsageException(
                    "'profile " + verb + "' needs " + thing + ".\nMaybe one that 'profile list' shows.");
        }
        if (names.size() > most) {
            throw new UsageException("'profile " + verb + "' is given " + String.join(", ", names) + ", must be given "
                    + (most == 1 ? thing + " only" : "a model's name and at most one file"));
        }
        return names.get(0);
    }

    private void list(Arguments arguments, List<String> names) {
        if (!names.isEmpty()) {
            throw new UsageException("'profile list' takes no names, but is given " + String.join(", ", names)
                    + ".\nMaybe 'profile show " + names.get(0) + "'.");
        }
        List<StoredProfile> profiles =
                all().stream().filter(p -> matches(arguments, p)).toList();
        if (profiles.isEmpty()) {
            say("no profiles%n");
            return;
        }
        String row = "%-" + width(profiles) + "s %-16s %7s %7s %7s %10s %6s %9s  %s%n";
        say(row, "model", "gpu", "batch", "points", "useful", "age", "jobs", "error", "user");
        for (StoredProfile p : profiles) {
            say(
                    row,
                    p.record().modelTag(),
                    p.gpu(),
                    p.record().batchSize() == 0 ? "?" : p.record().batchSize(),
                    p.record().points().size(),
                    p.useful(),
                    age(p.record()),
                    p.record().jobs(),
                    p.sure(),
                    p.user());
        }
    }

    private static int width(List<StoredProfile> profiles) {
        return profiles.stream().mapToInt(p -> p.record().modelTag().length()).max().stream()
                .map(longest -> Math.min(40, Math.max(12, longest)))
                .findFirst()
                .orElse(12);
    }

    /** In ASCII where the terminal may show no more. */
    private void say(String format, Object... values) {
        String text = String.format(Locale.ROOT, format, values);
        console.out()
                .print(
                        unicode
                                ? text
                                : text.replace("±", "+-").replace('×', 'x').replace('–', '-'));
    }

    private String age(ProfileRecord record) {
        return ProfileText.age(clock.millis() - record.updatedMs());
    }

    private void show(StoredProfile profile) {
        ProfileRecord record = profile.record();
        say("%s%n", profile.title());
        say(
                "measured by %s, last %s ago with %s (%s); error of the curve %s%n",
                ProfileText.count(record.jobs(), "job"),
                age(record),
                ProfileText.count(record.workers(), "worker"),
                record.applicationId(),
                profile.sure());
        record.dataset().ifPresent(d -> say("%s%n", ProfileText.dataset(d)));
        say("%n");
        profile.matrix().ifPresent(matrix -> {
            console.out().println(CurveDrawing.draw(CurveAxis.ofVcores(record.points(), matrix), unicode));
            if (matrix.coversMemory()) {
                console.out().print(CurveDrawing.draw(CurveAxis.ofMemory(record.points(), matrix), unicode));
                say("%s%n", record.dataset().map(ProfileText::storage).orElse(""));
            }
        });
        say("%8s %12s %10s %10s %8s%n", "vcores", "samples/s", "error", "measured", "seconds");
        for (ProfileRecord.Point p : record.points()) {
            say(
                    "%8d %12s %10s %10s %8s%n",
                    p.vcores(),
                    CurveDrawing.number(p.samplesPerSecond()),
                    StoredProfile.percent(p.error()),
                    p.count() + " ×",
                    Math.round(p.seconds()));
        }
        say("%s", ProfileText.energy(record.energy()));
        record.servers().ifPresent(servers -> say("%s", ServersText.of(servers)));
    }

    private void export(Arguments arguments, List<String> names) {
        StoredProfile profile = one(arguments, name("export", names, 2));
        String json = ProfileText.pretty(profile.record());
        if (names.size() < 2 || names.get(1).equals("-")) {
            console.out().print(json);
            return;
        }
        Path file = Path.of(names.get(1));
        try {
            if (Files.exists(file) && !arguments.has("--replace")) {
                throw new FileAlreadyExistsException(file.toString());
            }
            Path beside = Files.createTempFile(file.toAbsolutePath().getParent(), ".profile", ".json");
            try {
                Files.writeString(beside, json);
                Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(beside);
            }
        } catch (FileAlreadyExistsException e) {
            throw new ClientException("'" + file + "' exists already.\nMaybe another name, or '--replace'.", e);
        } catch (IOException e) {
            throw new ClientException("'" + file + "' cannot be written: " + e, e);
        }
        console.err().println("exported " + profile.title() + " to " + file);
    }

    private void importFile(Arguments arguments, String name) {
        ProfileRecord record = ProfileFile.read(name, MOST_BYTES, clock.millis());
        String user = arguments.value("--user").orElseGet(ProfileCommand::ownName);
        String key = ProfileText.key(user, record);
        if (!arguments.has("--replace")) {
            all().stream().filter(p -> p.key().equals(key)).findFirst().ifPresent(p -> {
                throw new ClientException("there is a profile of " + p.title() + " already, "
                        + ProfileText.count(p.record().points().size(), "point") + ", " + age(p.record())
                        + " old.\nMaybe '--replace'.");
            });
        }
        JsonNode answer = service.call("PUT", ProfileText.path(key), Optional.of(record.toJson()));
        console.err()
                .println((answer.path("replaced").asBoolean() ? "replaced " : "imported ") + key + ": "
                        + ProfileText.count(record.points().size(), "point"));
        ClusterGpus.missing(service.call("GET", "nodes", Optional.empty()), record.gpuModel())
                .ifPresent(console.err()::println);
    }

    private void forget(Arguments arguments, String model) {
        List<StoredProfile> chosen =
                arguments.has("--all") ? candidates(arguments, model) : List.of(one(arguments, model));
        for (StoredProfile p : chosen) {
            service.call("DELETE", ProfileText.path(p.key()), Optional.empty());
            console.err()
                    .println("forgot " + p.title() + ": "
                            + ProfileText.count(p.record().points().size(), "point")
                            + ", measured by " + ProfileText.count(p.record().jobs(), "job") + ", " + age(p.record())
                            + " old");
        }
    }

    private List<StoredProfile> all() {
        List<StoredProfile> all = new ArrayList<>();
        long offset = 0;
        while (offset >= 0) {
            JsonNode page = service.call("GET", "profiles?limit=1000&offset=" + offset, Optional.empty());
            all.addAll(StoredProfile.listIn(page));
            long next = page.path("next").asLong(-1);
            offset = next > offset ? next : -1;
        }
        return all;
    }

    private static boolean matches(Arguments arguments, StoredProfile p) {
        return arguments
                        .value("--user")
                        .map(user -> ZkPaths.name(user).equals(p.user()))
                        .orElse(true)
                && arguments.value("--gpu").map(gpu -> gpu.equals(p.gpu())).orElse(true)
                && arguments
                        .value("--batch")
                        .map(b -> Long.parseLong(b) == p.record().batchSize())
                        .orElse(true);
    }

    /** Those of the model that the options leave; of several users' the caller's own. */
    private List<StoredProfile> candidates(Arguments arguments, String model) {
        List<StoredProfile> all = all();
        List<StoredProfile> left = all.stream()
                .filter(p -> p.record().modelTag().equals(model) && matches(arguments, p))
                .toList();
        if (left.isEmpty()) {
            throw new ClientException(unknown(arguments, model, all));
        }
        String own = ZkPaths.name(ownName());
        List<StoredProfile> mine =
                left.stream().filter(p -> p.user().equals(own)).toList();
        return arguments.has("--user") || mine.isEmpty() ? left : mine;
    }

    private StoredProfile one(Arguments arguments, String model) {
        List<StoredProfile> left = candidates(arguments, model);
        if (left.size() > 1) {
            throw new ClientException("there are " + left.size() + " profiles of '" + model + "':\n" + named(left)
                    + "\nMaybe say which by --gpu, --batch or --user.");
        }
        return left.get(0);
    }

    private static String unknown(Arguments arguments, String model, List<StoredProfile> all) {
        boolean filtered = arguments.has("--user") || arguments.has("--gpu") || arguments.has("--batch");
        String first = "there is no profile of '" + model + "'" + (filtered ? " with these options" : "") + ".";
        if (all.isEmpty()) {
            return first + "\nMaybe none has been measured yet: there are no profiles at all.";
        }
        List<String> names =
                all.stream().map(p -> p.record().modelTag()).distinct().toList();
        return first
                + (names.contains(model)
                        ? ""
                        : Nearest.of(model, names)
                                .map(near -> "\nMaybe '" + near + "'.")
                                .orElse(""))
                + "\nKnown:\n" + named(all);
    }

    private static String named(List<StoredProfile> profiles) {
        List<String> lines = profiles.stream()
                .sorted(Comparator.comparing(StoredProfile::key))
                .limit(MOST_NAMED)
                .map(p -> "  " + p.title())
                .toList();
        int more = profiles.size() - lines.size();
        return String.join("\n", lines) + (more > 0 ? "\n  and " + more + " more" : "");
    }

    private static String ownName() {
        try {
            return UserGroupInformation.getCurrentUser().getShortUserName();
        } catch (IOException e) {
            throw new ClientException("who runs this cannot be told: " + Causes.message(e), e);
        }
    }
}
