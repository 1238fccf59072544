// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.core.wire.DeviceVendor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code env} mappings. */
final class EnvironmentReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,255}");

    /** What Treadle itself tells a worker; a user's value would silently be lost or break the gang. */
    private static final Set<String> RESERVED = Set.of(
            "RANK",
            "WORLD_SIZE",
            "LOCAL_RANK",
            "LOCAL_WORLD_SIZE",
            "GROUP_RANK",
            "GROUP_WORLD_SIZE",
            "ROLE_NAME",
            "ROLE_RANK",
            "ROLE_WORLD_SIZE",
            "MASTER_ADDR",
            "MASTER_PORT");

    private static final List<String> RESERVED_PREFIXES = List.of("TREADLE_", "TORCHELASTIC_");
    /** YARN reads these before the container starts; a job's variables reach the worker inside it, too late. */
    private static final String CONTAINER_PREFIX = "YARN_CONTAINER_RUNTIME_";

    private EnvironmentReader() {}

    static Map<String, String> read(YamlFields owner) {
        Map<String, String> variables = new LinkedHashMap<>();
        owner.find("env")
                .ifPresent(env -> YamlFields.open(env, "variable").all().forEach((name, value) -> {
                    if (!NAME.matcher(name).matches()) {
                        throw value.error(
                                "has no name for an environment variable: letters, digits and '_' only, no digit"
                                        + " first, at most 256.");
                    }
                    if (name.startsWith(CONTAINER_PREFIX)) {
                        throw value.error("may not be set: it would reach the worker, and not YARN.\nMaybe"
                                + " 'container: {image: registry.example/train:1.0}' in the job or in a task group.");
                    }
                    if (RESERVED.contains(name)
                            || DeviceVendor.reserved().contains(name)
                            || RESERVED_PREFIXES.stream().anyMatch(name::startsWith)) {
                        throw value.error("may not be set: Treadle sets it for every task.");
                    }
                    variables.put(name, value.text());
                }));
        return variables;
    }
}
