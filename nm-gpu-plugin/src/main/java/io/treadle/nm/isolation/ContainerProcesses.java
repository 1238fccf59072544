// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which container a process of this machine belongs to: by its cgroup, else by the environment and the command line of
 * itself and of those that have started it, which name the container (YARN starts each by a script in a directory with its
 * id). Processes that have ended since they were seen last are remembered. Used by one thread.
 */
public final class ContainerProcesses {
    /** Says that a process belongs to none of the containers. */
    public static final String NOBODY = "";

    private static final int MOST_REMEMBERED = 1_024;
    private static final int MOST_ANCESTORS = 32;
    private static final Pattern CONTAINER = Pattern.compile("container_(?:e\\d+_)?\\d+_\\d+_\\d+_\\d+");
    private static final String CONTAINER_VARIABLE = "CONTAINER_ID=";
    private static final String BOOT_TIME = "btime ";
    /** Of a process's stat, after the name in brackets: its parent, and its start in ticks since boot. */
    private static final int PARENT_AT = 1;

    private static final int START_AT = 19;
    /** The kernel tells user space of 100 ticks a second whatever it counts itself. */
    private static final long MS_PER_TICK = 10;
    /** The boot time is told in whole seconds. */
    private static final long START_BLUR_MS = 2_000;

    private final Path proc;
    private final Map<Long, String> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** @param proc the kernel's file system of processes */
    public ContainerProcesses(Path proc) {
        this.proc = proc;
    }

    /**
     * @param pid the process's id
     * @param seenMs when it ran, ms since the epoch; one that has started later has only the same id
     * @param containers ids of those that it may belong to
     * @return the container, or {@link #NOBODY}; empty where the process is not known here
     */
    public Optional<String> containerOf(long pid, long seenMs, Set<String> containers) {
        List<String> stat = stat(pid);
        OptionalLong boot = bootMs();
        if (stat.size() <= START_AT
                || (boot.isPresent()
                        && boot.getAsLong() + Long.parseLong(stat.get(START_AT)) * MS_PER_TICK - START_BLUR_MS
                                > seenMs)) {
            return Optional.ofNullable(remembered.get(pid)).map(known -> containers.contains(known) ? known : NOBODY);
        }
        String container = named(text(pid, "cgroup"), containers)
                .or(() -> byAncestors(pid, containers))
                .orElse(NOBODY);
        remembered.put(pid, container);
        return Optional.of(container);
    }

    private Optional<String> byAncestors(long pid, Set<String> containers) {
        long process = pid;
        for (int i = 0; i < MOST_ANCESTORS && process > 1; i++) {
            for (String variable : text(process, "environ").split("\0")) {
                if (variable.startsWith(CONTAINER_VARIABLE)
                        && containers.contains(variable.substring(CONTAINER_VARIABLE.length()))) {
                    return Optional.of(variable.substring(CONTAINER_VARIABLE.length()));
                }
            }
            Optional<String> named = named(text(process, "cmdline"), containers);
            if (named.isPresent()) {
                return named;
            }
            List<String> stat = stat(process);
            process = stat.size() > PARENT_AT ? Long.parseLong(stat.get(PARENT_AT)) : 0;
        }
        return Optional.empty();
    }

    private static Optional<String> named(String text, Set<String> containers) {
        Matcher ids = CONTAINER.matcher(text);
        while (ids.find()) {
            if (containers.contains(ids.group())) {
                return Optional.of(ids.group());
            }
        }
        return Optional.empty();
    }

    /** What follows the name, which may itself have spaces and brackets; empty where there is no such process. */
    private List<String> stat(long pid) {
        String text = text(pid, "stat");
        int name = text.lastIndexOf(')');
        return name < 0 ? List.of() : List.of(text.substring(name + 1).strip().split(" "));
    }

    private OptionalLong bootMs() {
        return text(proc.resolve("stat"))
                .lines()
                .filter(line -> line.startsWith(BOOT_TIME))
                .mapToLong(line ->
                        Long.parseLong(line.substring(BOOT_TIME.length()).strip()) * 1_000)
                .findFirst();
    }

    private String text(long pid, String file) {
        return text(proc.resolve(Long.toString(pid)).resolve(file));
    }

    /** Empty where the file is not there, or of a user whose files this one may not read. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
