// SPDX-License-Identifier: Apache-2.0
package io.treadle.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.core.policy.PolicyPlugin;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The jar that a reader of docs/guide/own-policy.md makes, from the very text of the page. */
public final class ExamplePolicies {
    private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("class (\\w+)");

    private ExamplePolicies() {}

    /**
     * Compiles the page's classes with its test.
     *
     * @param guide the page
     * @param directory an empty one
     * @return the directory of the classes
     */
    public static Path compile(Path guide, Path directory) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("src"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<Path> files = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(guide));
        while (block.find()) {
            Matcher type = TYPE.matcher(block.group(1));
            if (type.find()) {
                files.add(Files.writeString(sources.resolve(type.group(1) + ".java"), block.group(1)));
            }
        }
        assertFalse(files.isEmpty(), "no Java in " + guide);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(
                            said,
                            manager,
                            null,
                            List.of(
                                    "-d",
                                    classes.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "-proc:none"),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertEquals("true", done + said.toString(), guide::toString);
        }
        return classes;
    }

    /** Packs classes and names the plugin, as the page's commands do. */
    public static Path jar(Path classes, String plugin, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
            out.putNextEntry(new ZipEntry("META-INF/services/" + PolicyPlugin.class.getName()));
            out.write((plugin + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return jar;
    }
}
