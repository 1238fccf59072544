// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.treadle.nm", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
    /** The processes meet through the records of core.wire alone. */
    @ArchTest
    static final ArchRule OTHER_PROCESSES = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.treadle.rm..", "io.treadle.am..", "io.treadle.sim..");

    @ArchTest
    static final ArchRule JNA = noClasses()
            .that()
            .resideOutsideOfPackage("io.treadle.nm.nvml")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.sun.jna..");

    @ArchTest
    static final ArchRule CURATOR = noClasses()
            .that()
            .resideOutsideOfPackage("io.treadle.nm.telemetry")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");

    @ArchTest
    static final ArchRule DEVICES_KNOW_NO_CONTAINERS = noClasses()
            .that()
            .resideInAPackage("io.treadle.nm.device")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.hadoop.yarn.server..", "io.treadle.nm", "io.treadle.nm.isolation");

    /** The helper runs as root, and has as little beside it as can be. */
    @ArchTest
    static final ArchRule LIMITS_NEED_NO_HADOOP = noClasses()
            .that()
            .resideInAPackage("io.treadle.nm.power..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.hadoop..", "io.treadle.nm", "io.treadle.nm.telemetry");
}
