// SPDX-License-Identifier: Apache-2.0
package io.treadle.am;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.treadle.am");

    @Test
    void runnersNeedNothingThatTheirClassPathLacks() {
        noClasses()
                .that()
                .resideInAnyPackage("io.treadle.am.runner..", "io.treadle.am.protocol..", "io.treadle.am.framework..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache..", "org.slf4j..", "com.google..", "org.yaml..")
                .check(CLASSES);
    }

    @Test
    void profilingIsPure() {
        noClasses()
                .that()
                .resideInAPackage("io.treadle.am.profile..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache..", "io.treadle.am.master..", "java.net..", "java.nio.file..")
                .check(CLASSES);
    }

    @Test
    void theStateMachineReachesYarnOnlyThroughItsGateways() {
        noClasses()
                .that()
                .haveSimpleNameStartingWith("JobMaster")
                .or()
                .haveSimpleName("Gang")
                .or()
                .haveSimpleName("SpeedWatch")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .check(CLASSES);
    }
}
