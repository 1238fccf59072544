// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one test class, or some of its tests by their ids, in this JVM and writes each outcome as it comes. */
final class TestClassMain {
    private TestClassMain() {}

    /** Arguments: the report to write, the class, ids of tests (none: all tests). */
    public static void main(String[] arguments) throws IOException {
        List<? extends DiscoverySelector> selected = arguments.length == 2
                ? List.of(selectClass(arguments[1]))
                : Arrays.stream(arguments).skip(2).map(id -> selectUniqueId(id)).toList();
        try (PrintWriter report = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[0])), true)) {
            ReportWriter writer = new ReportWriter(report);
            // Those of our own tests would change what stock is.
            LauncherConfig none = LauncherConfig.builder()
                    .enableLauncherSessionListenerAutoRegistration(false)
                    .build();
            LauncherFactory.create(none)
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selected)
                                    .build(),
                            writer);
            writer.end(Redirected.count());
        }
        // A ResourceManager that a test forgot to stop has threads that would keep this JVM.
        System.exit(0);
    }
}
