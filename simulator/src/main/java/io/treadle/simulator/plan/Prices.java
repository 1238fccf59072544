// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a GPU costs for an hour, whether it is used or not, in any currency.
 *
 * @param models by the model's name
 * @param other for all others, and for those of which the cluster does not tell the model; empty for none
 */
record Prices(Map<String, Double> models, OptionalDouble other) {
    private static final double MOST = 1e6;

    Prices {
        models = Map.copyOf(models);
    }

    /**
     * @param texts such as {@code A100=2.5}, or {@code 2.0} for all others
     * @throws InputException if one is no price, or is given twice
     */
    static Prices read(List<String> texts) {
        Map<String, Double> models = new TreeMap<>();
        OptionalDouble other = OptionalDouble.empty();
        for (String text : texts) {
            int equals = text.lastIndexOf('=');
            String model = text.substring(0, Math.max(0, equals)).strip();
            double price = price(text, text.substring(equals + 1).strip());
            if (equals < 0 ? other.isPresent() : models.put(model, price) != null) {
                throw new InputException("--price '" + text + "' is the second for "
                        + (equals < 0 ? "GPUs without one of their own" : "model " + model) + ".");
            }
            other = equals < 0 ? OptionalDouble.of(price) : other;
        }
        return new Prices(models, other);
    }

    private static double price(String text, String number) {
        if (text.startsWith("=")
                || !number.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")
                || Double.parseDouble(number) > MOST) {
            throw new InputException("--price is '" + text
                    + "', must be MODEL=PRICE or a PRICE for an hour of a GPU, such as A100=2.5 or 2.0.");
        }
        return Double.parseDouble(number);
    }

    boolean areGiven() {
        return !models.isEmpty() || other.isPresent();
    }

    /** @throws InputException if a model has a price that the cluster does not have, or the other way round */
    void check(SimCluster cluster) {
        if (!areGiven()) {
            return;
        }
        Set<String> there = new TreeSet<>();
        boolean someUnnamed = false;
        for (NodeView node : nodes(cluster)) {
            node.devices().stream()
                    .map(DeviceView::model)
                    .filter(model -> !model.isEmpty())
                    .forEach(there::add);
            someUnnamed |= unnamed(node) > 0;
        }
        for (String model : models.keySet()) {
            if (!there.contains(model)) {
                throw new InputException("--price names model '" + model + "', which cluster " + cluster.name()
                        + " does not have: "
                        + (there.isEmpty()
                                ? "it names none. Maybe give one price for all: --price 2.0."
                                : "it has " + String.join(", ", there) + "."));
            }
        }
        if (other.isEmpty() && (someUnnamed || !models.keySet().containsAll(there))) {
            there.removeAll(models.keySet());
            throw new InputException("--price says nothing of "
                    + (there.isEmpty()
                            ? "GPUs whose model the cluster does not name"
                            : "model " + String.join(", ", there))
                    + ".\nMaybe add a price for all others: --price 2.0.");
        }
    }

    /** Of the whole cluster, for an hour. */
    double perHour(SimCluster cluster) {
        double sum = 0;
        for (NodeView node : nodes(cluster)) {
            for (DeviceView device : node.devices()) {
                Double own = models.get(device.model());
                sum += own != null ? own : device.model().isEmpty() ? 0 : other.orElse(0);
            }
            sum += unnamed(node) * other.orElse(0);
        }
        return sum;
    }

    private static List<NodeView> nodes(SimCluster cluster) {
        return cluster.partitions().stream()
                .flatMap(partition -> partition.nodes().stream())
                .toList();
    }

    /** GPUs of which only the number is known. */
    private static long unnamed(NodeView node) {
        return node.capacity().gpus()
                - node.devices().stream()
                        .filter(device -> !device.model().isEmpty())
                        .count();
    }
}
