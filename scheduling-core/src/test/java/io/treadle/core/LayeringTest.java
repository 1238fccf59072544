// SPDX-License-Identifier: Apache-2.0
package io.treadle.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

@AnalyzeClasses(packages = "io.treadle.core", importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
    @ArchTest
    static final ArchRule CORE_NEEDS_ONLY_THE_JDK_AND_GUAVA = classes()
            .that()
            .resideOutsideOfPackages("..wire..", "..record..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.treadle.core..",
                    "java..",
                    "com.google.common..",
                    "org.apache.commons.math3..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule ONLY_WIRE_KNOWS_JACKSON = classes()
            .that()
            .resideInAPackage("..wire..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.treadle.core.wire",
                    "io.treadle.core.resource",
                    "io.treadle.core.text",
                    "java..",
                    "com.fasterxml.jackson..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule CORE_READS_NO_CLOCK = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime");

    @ArchTest
    static final ArchRule NO_CYCLES = SlicesRuleDefinition.slices()
            .matching("io.treadle.core.(*)..")
            .should()
            .beFreeOfCycles();
}
