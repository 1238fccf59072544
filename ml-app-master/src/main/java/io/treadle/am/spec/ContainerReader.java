// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.spec.ContainerSpec.Mount;
import io.treadle.core.wire.ContainerRuntime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code container} of a job, of a task group or of a service's workers. */
final class ContainerReader {
    static final String FIELD = "container";
    static final List<String> FIELDS = List.of("image", "runtime", "mounts", "network");

    private static final int MAX_MOUNTS = 100;
    private static final String NO_RUNTIME = "default";
    private static final Pattern RUNTIME = Pattern.compile("docker|runc|default");
    /** What YARN's runtime takes: name, tag and digest. */
    private static final Pattern IMAGE = Pattern.compile(
            "(?=.{1,512}$)([a-zA-Z0-9.-]+(:[0-9]+)?/)?[a-z0-9_./-]+(:[A-Za-z0-9_.-]+)?(@sha256:[a-f0-9]{12,64})?");

    private static final Pattern NETWORK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final Pattern MOUNT = Pattern.compile("([^:,]{1,4096}):(/[^:,]{0,4095}):(ro|rw)");

    private ContainerReader() {}

    /** The job's, which no GPUs are asked for with yet. */
    static Optional<ContainerSpec> read(YamlFields job) {
        return job.find(FIELD).flatMap(ContainerReader::read);
    }

    /**
     * A task group's own replaces the job's as a whole; {@code runtime: default} means the plain process again.
     *
     * @param otherwise the job's
     * @param gpus where the owner asks for GPUs
     */
    static Optional<ContainerSpec> read(YamlFields owner, Optional<ContainerSpec> otherwise, Optional<YamlValue> gpus) {
        Optional<YamlValue> value = owner.find(FIELD);
        Optional<ContainerSpec> container = value.isPresent() ? read(value.get()) : otherwise;
        if (gpus.isPresent()
                && container.filter(c -> c.runtime() == ContainerRuntime.RUNC).isPresent()) {
            throw gpus.get()
                    .error("asks for GPUs, but YARN's runc containers cannot be given any.\nMaybe 'runtime: docker'.");
        }
        return container;
    }

    private static Optional<ContainerSpec> read(YamlValue value) {
        YamlFields fields = YamlFields.closed(value, FIELDS);
        String runtime = fields.find("runtime")
                .map(v -> v.text(RUNTIME, "docker, runc or default"))
                .orElse(ContainerRuntime.DOCKER.word());
        if (runtime.equals(NO_RUNTIME)) {
            FIELDS.stream()
                    .filter(name -> !name.equals("runtime"))
                    .flatMap(name -> fields.find(name).stream())
                    .findFirst()
                    .ifPresent(other -> {
                        throw other.error("is given, but the runtime is 'default', which has no containers.\nMaybe"
                                + " 'runtime: docker'.");
                    });
            return Optional.empty();
        }
        ContainerRuntime kind = ContainerRuntime.of(runtime).orElseThrow();
        Optional<YamlValue> network = fields.find("network");
        if (kind == ContainerRuntime.RUNC && network.isPresent()) {
            throw network.get()
                    .error("is given, but YARN's runc containers always use the node's own network.\nMaybe drop it, or"
                            + " 'runtime: docker'.");
        }
        return Optional.of(new ContainerSpec(
                kind,
                fields.require("image", "'image: registry.example/train:1.0'")
                        .text(IMAGE, "the name of an image, such as registry.example/train:1.0"),
                fields.find("mounts").map(ContainerReader::mounts).orElse(List.of()),
                network.map(v -> v.text(NETWORK, "the name of a network of Docker, such as host"))));
    }

    private static List<Mount> mounts(YamlValue value) {
        List<YamlValue> items = value.list("a list such as ['/data:/data:ro']");
        if (items.size() > MAX_MOUNTS) {
            throw value.error("has " + items.size() + " items, must have at most " + MAX_MOUNTS + ".");
        }
        List<Mount> mounts = new ArrayList<>();
        Set<String> destinations = new HashSet<>();
        for (YamlValue item : items) {
            Mount mount = mount(item);
            if (!destinations.add(mount.destination())) {
                throw item.error("mounts on " + mount.destination() + ", as another item does.");
            }
            mounts.add(mount);
        }
        return mounts;
    }

    private static Mount mount(YamlValue item) {
        Matcher parts = MOUNT.matcher(item.text(MOUNT, "SOURCE:DESTINATION:ro or …:rw, such as /data:/data:ro"));
        if (!parts.matches()) {
            throw new IllegalStateException("text has matched before");
        }
        return new Mount(parts.group(1), parts.group(2), parts.group(3).equals("rw"));
    }
}
