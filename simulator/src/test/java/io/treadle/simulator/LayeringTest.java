// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** The simulator stands on the core and on libraries; nothing in it knows its command line. */
@AnalyzeClasses(packages = "io.treadle.simulator", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
    @ArchTest
    static final ArchRule KNOWS_NO_HADOOP = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.treadle.simulator..",
                    "io.treadle.core..",
                    "java..",
                    "com.google.common..",
                    "com.fasterxml.jackson..",
                    "org.apache.commons..",
                    "org.yaml.snakeyaml..",
                    "org.jspecify..",
                    "picocli..");

    @ArchTest
    static final ArchRule ONLY_THE_COMMANDS_KNOW_THE_COMMAND_LINE = noClasses()
            .that()
            .resideOutsideOfPackage("..cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..cli..", "picocli..");

    @ArchTest
    static final ArchRule NO_CYCLES = SlicesRuleDefinition.slices()
            .matching("io.treadle.simulator.(*)..")
            .should()
            .beFreeOfCycles();
}
