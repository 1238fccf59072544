// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * MIG instances as {@code nvidia-smi} tells them: their UUIDs and profiles in the list of {@code -L}, their memory in the
 * XML of {@code -q -x}, where they have no UUID. Both number a card's instances alike.
 */
final class NvidiaSmiMig {
    private static final Pattern CARD = Pattern.compile("GPU \\d+: .*\\(UUID: (GPU-[^)]+)\\)\\s*");
    private static final Pattern INSTANCE =
            Pattern.compile("\\s+(MIG \\S+)\\s+Device\\s+(\\d+): \\(UUID: (MIG-[A-Za-z0-9-]+)\\)\\s*");

    private final String command;
    private final CommandRunner runner;
    private final Map<String, NvidiaSmiXml.Card> divided;
    /** Whether a card that is whole may be divided later. */
    private final boolean mayDivide;

    private final DividedCards dividedLater = new DividedCards();
    /** By card, its instances. */
    private final Map<String, List<Instance>> instances;

    private final Map<String, MigShare> shares = new HashMap<>();
    private final List<String> remarks = new ArrayList<>();

    /** @param number the card's own for it */
    private record Instance(String uuid, String profile, int number) {}

    private NvidiaSmiMig(
            String command,
            CommandRunner runner,
            Map<String, NvidiaSmiXml.Card> divided,
            boolean mayDivide,
            Map<String, List<Instance>> instances) {
        this.command = command;
        this.runner = runner;
        this.divided = divided;
        this.mayDivide = mayDivide;
        this.instances = instances;
    }

    /** Asks for instances where some card may have them: a driver that knows no MIG says nothing of it. */
    static NvidiaSmiMig of(List<GpuDevice> cards, String command, CommandRunner runner) {
        Map<String, NvidiaSmiXml.Card> all = cards.isEmpty() ? Map.of() : NvidiaSmiXml.read(command, runner);
        Map<String, NvidiaSmiXml.Card> divided = new LinkedHashMap<>();
        all.forEach((uuid, card) -> {
            if (card.migEnabled()) {
                divided.put(uuid, card);
            }
        });
        boolean mayDivide = all.values().stream().anyMatch(card -> card.knowsMig() && !card.migEnabled());
        return new NvidiaSmiMig(
                command, runner, divided, mayDivide, divided.isEmpty() ? Map.of() : list(command, runner));
    }

    private static Map<String, List<Instance>> list(String command, CommandRunner runner) {
        Map<String, List<Instance>> found = new HashMap<>();
        List<Instance> ofCard = new ArrayList<>();
        for (String line : runner.run(List.of(command, "-L")).output().split("\n")) {
            Matcher card = CARD.matcher(line);
            Matcher instance = INSTANCE.matcher(line);
            if (card.matches()) {
                ofCard = new ArrayList<>();
                found.put(card.group(1), ofCard);
            } else if (instance.matches()) {
                ofCard.add(new Instance(instance.group(3), instance.group(1), Integer.parseInt(instance.group(2))));
            }
        }
        return found;
    }

    /** The devices of the node: cards that are not divided, and instances of the others. */
    List<GpuDevice> divide(List<GpuDevice> cards) {
        List<GpuDevice> devices = new ArrayList<>();
        int place = 0;
        for (GpuDevice card : cards) {
            place = Math.max(place, card.index());
            NvidiaSmiXml.Card xml = divided.get(card.uuid());
            List<GpuDevice> ofCard = xml == null
                    ? List.of(new GpuDevice(card.uuid(), place, card.model(), card.memoryMiB(), card.limitWatts()))
                    : instances(card, xml, place);
            devices.addAll(ofCard);
            place += ofCard.size();
        }
        return List.copyOf(devices);
    }

    private List<GpuDevice> instances(GpuDevice card, NvidiaSmiXml.Card xml, int place) {
        List<GpuDevice> found = new ArrayList<>();
        for (Instance instance : instances.getOrDefault(card.uuid(), List.of())) {
            NvidiaSmiXml.Memory memory = xml.instances().get(instance.number());
            if (memory != null && memory.totalMiB() > 0) {
                found.add(new GpuDevice(
                        instance.uuid(),
                        place + found.size(),
                        card.model() + " " + instance.profile(),
                        memory.totalMiB(),
                        0));
            }
        }
        remarks.add(MigShare.remark(card.index(), found.size()));
        shares.putAll(MigShare.of(card.uuid(), found));
        return found.stream()
                .map(i -> new GpuDevice(
                        i.uuid(),
                        i.index(),
                        i.model(),
                        i.memoryMiB(),
                        card.limitWatts() * share(i.uuid()).map(MigShare::share).orElse(0.0)))
                .toList();
    }

    /** Whether some card is divided. */
    boolean divides() {
        return !divided.isEmpty();
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Empty for what is no instance. */
    Optional<MigShare> share(String uuid) {
        return Optional.ofNullable(shares.get(uuid));
    }

    /** Whether a card that is whole may be divided later: its mode is to be asked for. */
    boolean mayDivide() {
        return mayDivide;
    }

    /**
     * Readings of whole cards that MIG divides now: these are lost.
     *
     * @param modes by UUID, what the tool says of the card; what is neither word says nothing new
     */
    Map<String, DeviceReading> lost(List<GpuDevice> devices, Map<String, String> modes) {
        Map<String, DeviceReading> readings = new HashMap<>();
        for (GpuDevice device : devices) {
            String mode = modes.getOrDefault(device.uuid(), "");
            if (NvidiaSmiXml.ENABLED.equals(mode) || NvidiaSmiXml.DISABLED.equals(mode)) {
                dividedLater.look(device, NvidiaSmiXml.ENABLED.equals(mode));
            }
            if (dividedLater.isLost(device)) {
                readings.put(device.uuid(), DeviceReading.LOST);
            }
        }
        return readings;
    }

    /**
     * Readings of the instances. It costs another run of the tool, where there are any.
     *
     * @param cards readings of the cards, by UUID
     */
    Map<String, DeviceReading> readings(Map<String, DeviceReading> cards) {
        if (shares.isEmpty()) {
            return Map.of();
        }
        Map<String, NvidiaSmiXml.Card> now = NvidiaSmiXml.read(command, runner);
        Map<String, DeviceReading> readings = new HashMap<>();
        instances.forEach((card, ofCard) -> {
            for (Instance instance : ofCard) {
                share(instance.uuid())
                        .ifPresent(share -> readings.put(
                                instance.uuid(),
                                share.reading(
                                        cards.getOrDefault(card, DeviceReading.LOST),
                                        used(now.get(card), instance.number()))));
            }
        });
        return readings;
    }

    private static OptionalLong used(NvidiaSmiXml.@Nullable Card card, int number) {
        NvidiaSmiXml.Memory memory = card == null ? null : card.instances().get(number);
        return memory == null ? OptionalLong.empty() : OptionalLong.of(memory.usedMiB());
    }
}
