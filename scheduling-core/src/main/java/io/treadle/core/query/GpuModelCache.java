// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The models in a GPU's memory. Weights are only read, so that one that goes costs nothing. Models that are in use never go.
 * Not safe for use by several threads at once.
 */
public final class GpuModelCache {
    private static final class Resident {
        private final Model model;
        private final long came;
        private long used;
        private int pins;

        Resident(Model model, long now) {
            this.model = model;
            came = now;
            used = now;
        }
    }

    private final double capacityKb;
    private final Eviction eviction;
    /** In the order in which they came. */
    private final Map<Integer, Resident> residents = new LinkedHashMap<>();

    private final BitSet ids = new BitSet();
    private double freeKb;
    private long clock;

    /** @param capacityKb of the GPU's memory, what models may take */
    public GpuModelCache(double capacityKb, Eviction eviction) {
        checkArgument(
                capacityKb > 0 && Double.isFinite(capacityKb),
                "GPU memory is %s kB, must be a finite number above 0",
                capacityKb);
        this.capacityKb = capacityKb;
        this.eviction = eviction;
        freeKb = capacityKb;
    }

    public double capacityKb() {
        return capacityKb;
    }

    public double freeKb() {
        return freeKb;
    }

    public boolean holds(int model) {
        return ids.get(model);
    }

    /** Ids of all that it holds; not to be changed. */
    public BitSet ids() {
        return ids;
    }

    /** In the order in which they came. */
    public List<Model> models() {
        return residents.values().stream().map(resident -> resident.model).toList();
    }

    /** A task begins to use a model that is there: it cannot go until {@link #unpin}. */
    public void pin(int model) {
        Resident resident = resident(model);
        resident.pins++;
        resident.used = ++clock;
    }

    public void unpin(int model) {
        Resident resident = resident(model);
        checkState(resident.pins > 0, "model %s is not in use", resident.model.name());
        resident.pins--;
    }

    private Resident resident(int model) {
        Resident resident = residents.get(model);
        checkArgument(resident != null, "model %s is not in GPU memory", model);
        return resident;
    }

    /** A model gets what is free; it is there from now on. */
    public void add(Model model) {
        checkArgument(!holds(model.id()), "model %s is in GPU memory already", model.name());
        checkState(fits(model.kb()), "model %s of %s kB in %s free kB", model.name(), model.kb(), freeKb);
        residents.put(model.id(), new Resident(model, ++clock));
        ids.set(model.id());
        freeKb -= model.kb();
    }

    public boolean fits(double kb) {
        return kb <= freeKb;
    }

    /** A model that could not be fetched, or that something else took the memory of, is not there after all. */
    public void remove(int model) {
        Resident resident = resident(model);
        checkState(resident.pins == 0, "model %s is in use", resident.model.name());
        residents.remove(model);
        ids.clear(model);
        // Sizes are not whole numbers of anything: what adds up anew does not drift.
        double taken = 0;
        for (Resident each : residents.values()) {
            taken += each.model.kb();
        }
        freeKb = capacityKb - taken;
    }

    /**
     * Makes as much room as is asked for.
     *
     * @param kept ids of models that must stay, beside those in use
     * @param upcoming the models of the tasks that wait here, the next one first
     * @return what went, or nothing where even without all that may go there would not be room: then all have stayed
     */
    public Optional<List<Model>> makeRoom(
            double kb, Collection<Integer> kept, Iterable<? extends Collection<Model>> upcoming) {
        if (fits(kb)) {
            return Optional.of(List.of());
        }
        List<Resident> removable = new ArrayList<>(residents.values().stream()
                .filter(resident -> resident.pins == 0 && !kept.contains(resident.model.id()))
                .toList());
        double most = freeKb;
        for (Resident resident : removable) {
            most += resident.model.kb();
        }
        if (most < kb) {
            return Optional.empty();
        }
        removable.sort(order(upcoming));
        List<Model> gone = new ArrayList<>();
        for (Resident resident : removable) {
            if (fits(kb)) {
                break;
            }
            remove(resident.model.id());
            gone.add(resident.model);
        }
        return Optional.of(gone);
    }

    /**
     * All that is not in use goes, whatever waits for it: there is less memory than was thought.
     *
     * @return what went
     */
    public List<Model> dropIdle() {
        List<Model> idle = residents.values().stream()
                .filter(resident -> resident.pins == 0)
                .map(resident -> resident.model)
                .toList();
        idle.forEach(model -> remove(model.id()));
        return idle;
    }

    /** Who goes first. */
    private Comparator<Resident> order(Iterable<? extends Collection<Model>> upcoming) {
        Comparator<Resident> byUse = Comparator.comparingLong(resident -> resident.used);
        return switch (eviction) {
            case FIFO -> Comparator.comparingLong(resident -> resident.came);
            case LRU -> byUse;
            case LOOK_AHEAD -> {
                Map<Integer, Integer> next = new HashMap<>();
                int place = 0;
                for (Collection<Model> task : upcoming) {
                    for (Model model : task) {
                        next.putIfAbsent(model.id(), place);
                    }
                    place++;
                }
                yield Comparator.<Resident>comparingInt(
                                resident -> -next.getOrDefault(resident.model.id(), Integer.MAX_VALUE))
                        .thenComparing(byUse);
            }
        };
    }
}
