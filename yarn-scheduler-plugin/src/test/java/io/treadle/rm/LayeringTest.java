// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.treadle.rm.scheduler.TreadleScheduler;

@AnalyzeClasses(packages = "io.treadle.rm", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
    /** The processes meet through the records of core.wire alone. */
    @ArchTest
    static final ArchRule OTHER_PROCESSES = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.treadle.nm..", "io.treadle.am..", "io.treadle.sim..");

    /** These are no stable API of Hadoop: what a new version changes is mended in one package and in the hooks. */
    @ArchTest
    static final ArchRule CAPACITY_SCHEDULER = noClasses()
            .that()
            .resideOutsideOfPackage("io.treadle.rm.bridge")
            .and()
            .doNotBelongToAnyOf(TreadleScheduler.class)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity..",
                    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica..");

    @ArchTest
    static final ArchRule ZOOKEEPER = noClasses()
            .that()
            .resideOutsideOfPackage("io.treadle.rm.profile")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");

    @ArchTest
    static final ArchRule SETTINGS_KNOW_NO_SCHEDULER = noClasses()
            .that()
            .resideInAPackage("io.treadle.rm.conf")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop.yarn.server..");
}
