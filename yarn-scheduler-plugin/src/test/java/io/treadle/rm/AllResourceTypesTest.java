// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSAssignment;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.Test;

class AllResourceTypesTest {
    @Test
    void constantsOfHadoopHaveAllTypes() throws Exception {
        // Others ask how many there are each time.
        int types = CSAssignment.NULL_ASSIGNMENT.getResource().getResources().length;
        assertEquals(2 + AllResourceTypes.TYPES.split(",").length, types);
        Field zero = AbstractYarnScheduler.class.getDeclaredField("ZERO_RESOURCE");
        zero.setAccessible(true);
        assertEquals(types, ((Resource) zero.get(null)).getResources().length);
    }

    @Test
    void everyClassOfHadoopWithSuchConstantsIsInitialised() throws Exception {
        Set<String> known = Stream.concat(AllResourceTypes.CONSTANTS.stream(), Stream.of(FairScheduler.class))
                // This one keeps them within its constants.
                .filter(type -> !type.equals(CSAssignment.class))
                .map(Class::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> found = new TreeSet<>();
        for (Class<?> inIt : List.of(FairScheduler.class, Resources.class)) {
            File jar = new File(
                    inIt.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (JarFile file = new JarFile(jar)) {
                file.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class"))
                        .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                        .filter(AllResourceTypesTest::hasConstants)
                        .forEach(found::add);
            }
        }
        assertEquals(known, found);
    }

    private static boolean hasConstants(String type) {
        try {
            return Stream.of(Class.forName(type, false, AllResourceTypesTest.class.getClassLoader())
                            .getDeclaredFields())
                    .anyMatch(field -> Modifier.isStatic(field.getModifiers())
                            && field.getType().equals(Resource.class));
        } catch (ReflectiveOperationException | LinkageError e) {
            // A class for something that is not here.
            return false;
        }
    }
}
