// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.policy.PolicyPlugin;
import io.treadle.core.policy.PolicyPlugins;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;

/**
 * The policies that there are.
 *
 * @param jars where those of somebody else's come from
 * @param registry these and those that come with Treadle
 */
public record Plugins(List<Path> jars, PolicyRegistry registry) {
    public static final Plugins NONE = new Plugins(List.of(), PolicyRegistry.BUILT_IN);

    public Plugins {
        jars = List.copyOf(jars);
    }

    /** @throws InputException if one of them is no jar, holds no policy or one that cannot be used */
    public static Plugins load(List<Path> jars) {
        PolicyRegistry registry = PolicyRegistry.BUILT_IN;
        for (Path jar : jars) {
            try {
                List<PolicyPlugin> plugins = PolicyPlugins.in(loader(jar));
                if (plugins.isEmpty()) {
                    throw wrong(jar, "it has no META-INF/services/" + PolicyPlugin.class.getName(), null);
                }
                registry = registry.with(plugins);
            } catch (IllegalArgumentException e) {
                throw wrong(jar, String.valueOf(e.getMessage()), e);
            }
        }
        return new Plugins(jars, registry);
    }

    /** It stays open: its classes are loaded as they are needed. */
    private static ClassLoader loader(Path jar) {
        try {
            new JarFile(jar.toFile()).close();
            return new URLClassLoader(new URL[] {jar.toUri().toURL()}, Plugins.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a file without an address: " + jar, e);
        } catch (IOException e) {
            throw wrong(jar, "it cannot be read as a jar: " + e.getMessage(), e);
        }
    }

    private static InputException wrong(Path jar, String why, @org.jspecify.annotations.Nullable Throwable cause) {
        String message = "--plugin is '" + jar + "', must be a jar with a policy: " + why + ".";
        return cause == null ? new InputException(message) : new InputException(message, cause);
    }

    /** For a fingerprint of options: what the jars hold counts, not where they lie. */
    @Override
    public String toString() {
        List<String> names = new ArrayList<>();
        jars.forEach(jar -> names.add(String.valueOf(jar.getFileName())));
        return names.toString();
    }
}
