// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import com.google.common.base.Suppliers;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Finds {@link PolicyPlugin}s. */
public final class PolicyPlugins {
    private static final Supplier<PolicyRegistry> INSTALLED =
            Suppliers.memoize(() -> PolicyRegistry.BUILT_IN.with(in(PolicyRegistry.class.getClassLoader())));

    private PolicyPlugins() {}

    /**
     * What comes with Treadle and what jars beside it on the class path add.
     *
     * @throws IllegalArgumentException if a plugin cannot be used
     */
    public static PolicyRegistry installed() {
        return INSTALLED.get();
    }

    /**
     * The plugins that a class loader finds.
     *
     * @throws IllegalArgumentException if one cannot be loaded; the message names it
     */
    public static List<PolicyPlugin> in(ClassLoader loader) {
        List<PolicyPlugin> plugins = new ArrayList<>();
        try {
            ServiceLoader.load(PolicyPlugin.class, loader).forEach(plugins::add);
        } catch (ServiceConfigurationError | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException(
                    "policy plugin cannot be loaded: " + e.getMessage()
                            + (cause == e ? "" : " (" + cause + ")")
                            + "\nMaybe it was built against another version of scheduling-core.jar",
                    e);
        }
        return plugins;
    }
}
