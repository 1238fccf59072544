// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which container a process of this machine belongs to: by its cgroup, else because the container's first process has started
 * it, else by its environment, which names the container. What a user can choose is believed for containers of the same user alone,
 * and a command line never. Processes that have ended since they were seen last are remembered. Used by one thread.
 */
public final class ContainerProcesses {
    /** Says that a process belongs to none of the containers. */
    public static final String NOBODY = "";

    private static final int MOST_REMEMBERED = 1_024;
    private static final int MOST_ANCESTORS = 32;
    private static final Pattern CONTAINER = Pattern.compile("container_(?:e\\d+_)?\\d+_\\d+_\\d+_\\d+");
    private static final String CONTAINER_VARIABLE = "CONTAINER_ID=";
    /** The hierarchy's number, its controllers, the group. */
    private static final int FIELDS_OF_A_GROUP = 3;

    private static final String USER = "Uid:";
    private static final String BOOT_TIME = "btime ";
    /** Of a process's stat, after the name in brackets: its parent, and its start in ticks since boot. */
    private static final int PARENT_AT = 1;

    private static final int START_AT = 19;
    /** The kernel tells user space of 100 ticks a second whatever it counts itself. */
    private static final long MS_PER_TICK = 10;
    /** The boot time is told in whole seconds. */
    private static final long START_BLUR_MS = 2_000;

    private final Path proc;
    private final Function<String, OptionalLong> leaders;
    private final Map<Long, String> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /**
     * @param proc the kernel's file system of processes
     * @param leaders gives the id of a container's first process; empty while it is not known
     */
    public ContainerProcesses(Path proc, Function<String, OptionalLong> leaders) {
        this.proc = proc;
        this.leaders = leaders;
    }

    /**
     * Containers that a process may belong to, such as the holders of a GPU.
     *
     * @param ids of all of them
     * @param firsts by the id of its first process, each of which that is known
     */
    public record Holders(Set<String> ids, Map<Long, String> firsts) {}

    /** Looks up the first processes of containers: once for all processes that are asked for then. */
    public Holders holders(Collection<String> containers) {
        Map<Long, String> firsts = new HashMap<>();
        for (String container : containers) {
            leaders.apply(container).ifPresent(leader -> firsts.put(leader, container));
        }
        return new Holders(Set.copyOf(containers), firsts);
    }

    /**
     * @param pid the process's id
     * @param seenMs when it ran, ms since the epoch; one that has started later has only the same id
     * @param holders those that it may belong to
     * @return the container, or {@link #NOBODY}; empty where the process is not known here
     */
    public Optional<String> containerOf(long pid, long seenMs, Holders holders) {
        Set<String> containers = holders.ids();
        Map<Long, String> firsts = holders.firsts();
        List<String> stat = stat(pid);
        OptionalLong boot = bootMs();
        if (stat.size() <= START_AT
                || (boot.isPresent()
                        && boot.getAsLong() + Long.parseLong(stat.get(START_AT)) * MS_PER_TICK - START_BLUR_MS
                                > seenMs)) {
            return Optional.ofNullable(remembered.get(pid)).map(known -> containers.contains(known) ? known : NOBODY);
        }
        String container = byCgroup(pid, containers, firsts)
                .or(() -> byDescent(pid, firsts))
                .or(() -> byVariable(pid, containers, firsts))
                .or(() -> byUser(pid, firsts))
                .orElse(NOBODY);
        remembered.put(pid, container);
        return Optional.of(container);
    }

    /** The outermost group that is called like a container: the owner of a group may make others of any name below it. */
    private Optional<String> byCgroup(long pid, Set<String> containers, Map<Long, String> firsts) {
        // A group's name may hold all but a slash and a line feed, which the kernel shows as they are.
        return Stream.of(text(pid, "cgroup").split("\n"))
                .map(line -> line.split(":", FIELDS_OF_A_GROUP))
                .filter(fields -> fields.length == FIELDS_OF_A_GROUP)
                .flatMap(fields -> Stream.of(fields[FIELDS_OF_A_GROUP - 1].split("/"))
                        .filter(group -> CONTAINER.matcher(group).matches())
                        .limit(1))
                .filter(containers::contains)
                .filter(container -> users(pid, container, firsts) != Users.DIFFERENT)
                .findFirst();
    }

    /** No process chooses its parent. Where the parent has ended, this tells nothing. */
    private Optional<String> byDescent(long pid, Map<Long, String> firsts) {
        return ancestors(pid).map(firsts::get).filter(Objects::nonNull).findFirst();
    }

    private Optional<String> byVariable(long pid, Set<String> containers, Map<Long, String> firsts) {
        return ancestors(pid)
                .flatMap(process -> Stream.of(text(process, "environ").split("\0")))
                .filter(variable -> variable.startsWith(CONTAINER_VARIABLE))
                .map(variable -> variable.substring(CONTAINER_VARIABLE.length()))
                .filter(container -> containers.contains(container) && users(pid, container, firsts) == Users.SAME)
                .findFirst();
    }

    /** The process, what has started it, and so on. */
    private Stream<Long> ancestors(long pid) {
        return Stream.iterate(pid, process -> process > 1, this::parent).limit(MOST_ANCESTORS);
    }

    private long parent(long pid) {
        List<String> stat = stat(pid);
        return stat.size() > PARENT_AT ? Long.parseLong(stat.get(PARENT_AT)) : 0;
    }

    /** The one container whose first process is of the process's user, where no other one's is. */
    private Optional<String> byUser(long pid, Map<Long, String> firsts) {
        Optional<String> user = user(pid);
        List<String> same = firsts.entrySet().stream()
                .filter(first -> user.isPresent() && user.equals(user(first.getKey())))
                .map(Map.Entry::getValue)
                .toList();
        return same.size() == 1 ? Optional.of(same.get(0)) : Optional.empty();
    }

    private enum Users {
        SAME,
        DIFFERENT,
        UNKNOWN
    }

    /** Whether the process is of the user that the container's first process is of. */
    private Users users(long pid, String container, Map<Long, String> firsts) {
        Optional<String> user = user(pid);
        Optional<String> its = firsts.entrySet().stream()
                .filter(first -> first.getValue().equals(container))
                .findFirst()
                .flatMap(first -> user(first.getKey()));
        if (user.isEmpty() || its.isEmpty()) {
            return Users.UNKNOWN;
        }
        return user.equals(its) ? Users.SAME : Users.DIFFERENT;
    }

    /** The number of the process's real user; empty where it cannot be read. A process chooses its name, but for line feeds. */
    private Optional<String> user(long pid) {
        return Stream.of(text(pid, "status").split("\n"))
                .filter(line -> line.startsWith(USER))
                .map(line -> line.substring(USER.length()).strip().split("\\s+")[0])
                .findFirst();
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
