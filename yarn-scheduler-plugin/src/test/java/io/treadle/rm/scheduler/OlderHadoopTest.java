// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scheduler looks at the Hadoop that it runs in before anything else. */
class OlderHadoopTest {
    /** All classes of this process once more, with a Hadoop that says another version of itself. */
    private static ClassLoader hadoop(Path directory, String version) throws Exception {
        Files.writeString(directory.resolve("common-version-info.properties"), "version=" + version + "\n");
        List<URL> path = new ArrayList<>(List.of(directory.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(new File(entry).toURI().toURL());
        }
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static Object create(ClassLoader loader, Class<?> type) throws Exception {
        return loader.loadClass(type.getName()).getConstructor().newInstance();
    }

    @Test
    void resourceManagerThatIsTooOldDoesNotStart(@TempDir Path directory) throws Exception {
        ClassLoader ours = Thread.currentThread().getContextClassLoader();
        ClassLoader older = hadoop(directory, "3.3.6");
        // Hadoop's configuration looks for classes here.
        Thread.currentThread().setContextClassLoader(older);
        InvocationTargetException refused;
        try {
            Object configuration = create(older, Configuration.class);
            Object scheduler = create(older, TreadleScheduler.class);
            Method init = older.loadClass(Service.class.getName()).getMethod("init", configuration.getClass());
            refused = assertThrows(InvocationTargetException.class, () -> init.invoke(scheduler, configuration));
        } finally {
            Thread.currentThread().setContextClassLoader(ours);
        }
        String why = String.valueOf(refused.getCause());
        assertTrue(
                why.startsWith("org.apache.hadoop.yarn.exceptions.YarnRuntimeException: treadle: this is Hadoop 3.3.6,"
                        + " Treadle needs Hadoop 3.4 or newer"),
                why);
    }
}
