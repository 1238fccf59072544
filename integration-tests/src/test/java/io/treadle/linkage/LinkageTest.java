// SPDX-License-Identifier: Apache-2.0
package io.treadle.linkage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each fault is planted: a class is compiled against one library and looked at with another. */
class LinkageTest {
    private static final String USER =
            """
            package user;
            public class User extends lib.Base implements lib.Task {
                @Override protected void hook() { lib.Tool.help(); }
                @Override public void run() {}
                int sum() { return new lib.Tool("x").field + lib.Tool.constant; }
                Runnable handle() { return lib.Tool::help; }
            }
            """;

    private static final Map<String, String> BEFORE = Map.of(
            "Base", "public class Base { protected void hook() {} }",
            "Task", "public interface Task { void run(); }",
            "Tool",
                    "public class Tool { public int field; public static int constant; public Tool(String s) {}"
                            + " public static void help() {} }");

    private final Path directory;

    LinkageTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void findsNothingWhereAllIsAsItWas() throws IOException {
        assertEquals(List.of(), faults("Base", Objects.requireNonNull(BEFORE.get("Base"))));
        assertEquals(
                List.of(),
                faults(
                        "Base",
                        "public class Base extends Older {} class Older { protected void hook() {} public void more() {} }"));
    }

    @Test
    void findsAHookThatIsGoneOrFinal() throws IOException {
        assertEquals(
                List.of("user/User overrides lib/Base.hook()V: there is no such method"),
                faults("Base", "public class Base { protected void hook(int other) {} }"));
        assertEquals(
                List.of("user/User overrides lib/Base.hook()V: it is final"),
                faults("Base", "public class Base { protected final void hook() {} }"));
    }

    @Test
    void findsWhatIsToBeImplementedNow() throws IOException {
        assertEquals(
                List.of("user/User does not implement lib/Task.stop()V"),
                faults("Task", "public interface Task { void run(); void stop(); default void more() {} }"));
    }

    @Test
    void findsMembersThatAreGoneOrOtherwise() throws IOException {
        assertEquals(
                List.of(
                        "user/User -> lib/Tool.<init>(Ljava/lang/String;)V: it may not be used from here",
                        "user/User -> lib/Tool.constant I: it is not static",
                        "user/User -> lib/Tool.field I: there is no such field",
                        "user/User -> lib/Tool.help()V: there is no such method"),
                faults(
                        "Tool",
                        "public class Tool { public long field; public int constant; Tool(String s) {}"
                                + " public static int help() { return 0; } }"));
    }

    @Test
    void findsClassesThatAreGoneOrHidden() throws IOException {
        List<String> hidden =
                faults("Tool", Objects.requireNonNull(BEFORE.get("Tool")).replaceFirst("public ", ""));
        assertEquals("user/User -> lib/Tool: the class is not public", hidden.get(hidden.size() - 1));
        List<String> gone = faults("Tool", "class Other {}");
        assertEquals("user/User -> lib/Tool: there is no such class", gone.get(gone.size() - 1));
    }

    /** @param other what stands in place of one class of the library */
    private List<String> faults(String name, String other) throws IOException {
        Path before = library("before", BEFORE);
        Path user = compiled("user", Map.of("user/User.java", USER), before);
        Map<String, String> changed = new HashMap<>(BEFORE);
        changed.put(name, other);
        Path with = library("with", changed);
        return new Linkage(
                        ClassFiles.of(List.of(user)),
                        ClassFiles.of(List.of(user, before)),
                        ClassFiles.of(List.of(user, with)))
                .faults();
    }

    private Path library(String name, Map<String, String> classes) throws IOException {
        Map<String, String> files = new HashMap<>();
        classes.forEach((type, text) -> files.put("lib/" + type + ".java", "package lib; " + text));
        return compiled(name, files, directory);
    }

    private Path compiled(String name, Map<String, String> files, Path classPath) throws IOException {
        Path sources = Files.createTempDirectory(directory, name);
        Path classes = Files.createDirectories(sources.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> words =
                new ArrayList<>(List.of("-proc:none", "-cp", classPath.toString(), "-d", classes.toString()));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path source = sources.resolve(file.getKey());
            Files.createDirectories(source.resolveSibling("."));
            Files.writeString(source, file.getValue());
            words.add(source.toString());
        }
        assertEquals(0, compiler.run(null, null, null, words.toArray(String[]::new)), files.toString());
        return classes;
    }
}
