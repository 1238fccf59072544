// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What runs under CapacityScheduler's write lock waits for nothing: not for ZooKeeper, names, files, processes or other
 * threads. Calls are followed through our classes from all that runs in a hold of the lock; a call of an interface of ours
 * may be of any class of ours that implements it. Calls inside Hadoop's classes are not followed.
 */
class UnderTheLockTest {
    /** Owner and name of what may wait. */
    private static final Pattern WAITS = Pattern.compile(String.join(
            "|",
            "java\\.lang\\.Thread\\.(sleep|join)",
            "java\\.lang\\.Object\\.wait",
            "java\\.lang\\.Process(Builder)?\\.(start|waitFor)",
            "java\\.util\\.concurrent\\.locks\\.LockSupport\\.park.*",
            "java\\.util\\.concurrent\\.(\\w*Future|CountDownLatch|\\w*Queue|Semaphore|Exchanger|Phaser|CyclicBarrier)"
                    + "\\.(get|join|await\\w*|take|put|acquire|exchange)",
            "java\\.util\\.concurrent\\.locks\\.Condition\\.await.*",
            "java\\.net\\.(InetAddress\\.get\\w*By\\w*|InetSocketAddress\\.<init>|Socket\\.<init>|http\\..*|URL\\.open.*)",
            "java\\.nio\\.file\\.Files\\..*",
            "java\\.io\\.(File\\w+Stream|FileReader|FileWriter|RandomAccessFile)\\.<init>",
            "org\\.apache\\.hadoop\\.net\\.NetUtils\\.create.*",
            "org\\.apache\\.hadoop\\.security\\.SecurityUtil\\.(build|getByName).*",
            "org\\.apache\\.hadoop\\.fs\\.FileSystem\\..*",
            // What a cache of Curator's has is read from memory.
            "org\\.apache\\.curator\\.framework\\.(api\\..*|CuratorFramework\\..*)",
            "org\\.apache\\.zookeeper\\..*"));
    /** Hands work to another thread: what is inside runs there. */
    private static final Pattern HANDS_OVER = Pattern.compile("(execute|submit|schedule\\w*|supplyAsync|runAsync)");

    private static final Set<String> QUEUE_HOOKS =
            Set.of("PlannedPlacement", "GangOrderingPolicy", "UnfetchedContainers", "UpdateAccounts", "NodeOffers");

    private JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.treadle.rm", "io.treadle.core");
    private final List<String> found = new ArrayList<>();
    private final Map<JavaCodeUnit, String> reached = new HashMap<>();
    private final Deque<JavaCodeUnit> open = new ArrayDeque<>();

    @Test
    void nothingWaits() {
        hooks().forEach(unit -> reach(unit, unit.getFullName()));
        follow();
        assertTrue(reached.size() > 100, () -> "only " + reached.size() + " methods were followed");
        assertEquals(List.of(), found);
    }

    /** What the check is worth. */
    @Test
    void whatWaitsIsFound() {
        classes = new ClassFileImporter().importClasses(Waiting.class, Deep.class);
        follow();
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.get(0).endsWith("java.lang.Thread.sleep"), found::toString);
    }

    private interface Deep {
        void call() throws InterruptedException;
    }

    private record Waiting(SchedulerAccess access) implements Deep {
        @Override
        public void call() throws InterruptedException {
            Thread.sleep(1);
        }

        @SuppressWarnings("UnusedMethod") // It is read, not run.
        boolean atTheEnd(Deep deep) {
            return access.locked(() -> {
                try {
                    deep.call();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return true;
            });
        }
    }

    /** Methods of ours that CapacityScheduler calls while it holds its lock. */
    private Stream<JavaCodeUnit> hooks() {
        Predicate<JavaCodeUnit> locks = unit -> Set.of(
                        "recoverContainersOnNode",
                        "handleContainerUpdates",
                        "completedContainerInternal",
                        "increaseTaken",
                        "refreshMaximumAllocation",
                        "updatePlacementRules",
                        "isLeftToPlanner",
                        "obstacle")
                .contains(unit.getName());
        return classes.stream().flatMap(type -> type.getCodeUnits().stream()
                .filter(unit -> QUEUE_HOOKS.contains(type.getSimpleName())
                        || (type.isEquivalentTo(TreadleScheduler.class) && locks.test(unit))));
    }

    private void reach(JavaCodeUnit unit, String path) {
        if (reached.putIfAbsent(unit, path) == null) {
            open.add(unit);
        }
    }

    private void follow() {
        for (JavaClass type : classes) {
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                if (accesses(unit)
                        .anyMatch(a -> a.getName().equals("locked")
                                && a.getTargetOwner().isAssignableTo(SchedulerAccess.class))) {
                    accesses(unit)
                            .filter(JavaAccess::isDeclaredInLambda)
                            .forEach(access -> take(access, unit.getFullName()));
                }
            }
        }
        while (!open.isEmpty()) {
            JavaCodeUnit unit = open.remove();
            String path = String.valueOf(reached.get(unit));
            boolean handsOver = accesses(unit)
                    .anyMatch(access -> !access.isDeclaredInLambda()
                            && HANDS_OVER.matcher(access.getName()).matches());
            accesses(unit)
                    .filter(access -> !(handsOver && access.isDeclaredInLambda()))
                    .forEach(access -> take(access, path));
        }
    }

    private static Stream<? extends JavaAccess<?>> accesses(JavaCodeUnit unit) {
        return Stream.concat(unit.getCallsFromSelf().stream(), unit.getCodeUnitReferencesFromSelf().stream());
    }

    private void take(JavaAccess<?> access, String path) {
        JavaClass owner = access.getTargetOwner();
        String name = owner.getName() + "." + access.getName();
        if (WAITS.matcher(name).matches()) {
            found.add(path + " -> " + name);
        }
        if (!owner.getPackageName().startsWith("io.treadle")) {
            return;
        }
        Stream.concat(Stream.of(owner), owner.getAllSubclasses().stream())
                .flatMap(type -> type.getCodeUnits().stream())
                .filter(unit -> unit.getName().equals(access.getName()))
                .forEach(unit -> reach(unit, path + " -> " + unit.getOwner().getSimpleName() + "." + unit.getName()));
    }
}
