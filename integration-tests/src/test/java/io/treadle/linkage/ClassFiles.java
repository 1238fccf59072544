// SPDX-License-Identifier: Apache-2.0
package io.treadle.linkage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The classes of jars and class directories, as a JVM with that class path would find them, over the JDK's own. Not thread-safe. */
final class ClassFiles {
    private static final String SUFFIX = ".class";

    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, Optional<ClassShape>> shapes = new HashMap<>();

    private ClassFiles() {}

    /** @param entries jars and directories; of classes that several have the first one's is taken */
    static ClassFiles of(List<Path> entries) throws IOException {
        ClassFiles all = new ClassFiles();
        for (Path entry : entries) {
            if (Files.isDirectory(entry)) {
                all.addDirectory(entry);
            } else {
                all.addJar(entry);
            }
        }
        return all;
    }

    private void addDirectory(Path directory) throws IOException {
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path file : found.filter(f -> f.toString().endsWith(SUFFIX)).toList()) {
                put(directory.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
    }

    private void addJar(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            List<JarEntry> classes = jar.stream()
                    .filter(e -> e.getName().endsWith(SUFFIX) && !e.getName().startsWith("META-INF/"))
                    .toList();
            for (JarEntry entry : classes) {
                try (InputStream in = jar.getInputStream(entry)) {
                    put(entry.getName(), in.readAllBytes());
                }
            }
        }
    }

    private void put(String file, byte[] content) {
        files.putIfAbsent(file.substring(0, file.length() - SUFFIX.length()), content);
    }

    /** Those of the class path, without the JDK's. */
    Map<String, byte[]> all() {
        return files;
    }

    /** @param name such as {@code java/lang/Object} */
    Optional<ClassShape> find(String name) {
        return shapes.computeIfAbsent(name, n -> read(n).map(ClassShape::of));
    }

    private Optional<byte[]> read(String name) {
        byte[] own = files.get(name);
        if (own != null) {
            return Optional.of(own);
        }
        try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + SUFFIX)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("the JDK's class " + name + " cannot be read", e);
        }
    }

    /** The class, its parents from the nearest on, then all their interfaces. What is not found is left out. */
    List<ClassShape> hierarchy(String name) {
        Set<String> seen = new LinkedHashSet<>();
        List<ClassShape> found = new ArrayList<>();
        List<String> interfaces = new ArrayList<>();
        for (Optional<String> next = Optional.of(name); next.isPresent() && seen.add(next.get()); ) {
            Optional<ClassShape> shape = find(next.get());
            shape.ifPresent(s -> {
                found.add(s);
                interfaces.addAll(s.interfaces());
            });
            next = shape.flatMap(ClassShape::parent);
        }
        for (int i = 0; i < interfaces.size(); i++) {
            if (seen.add(interfaces.get(i))) {
                find(interfaces.get(i)).ifPresent(s -> {
                    found.add(s);
                    interfaces.addAll(s.interfaces());
                });
            }
        }
        return found;
    }

    boolean isA(String name, String parent) {
        return hierarchy(name).stream().anyMatch(s -> s.name().equals(parent));
    }
}
