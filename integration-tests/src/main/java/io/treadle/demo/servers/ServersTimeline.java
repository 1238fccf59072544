// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.servers;

import io.treadle.core.model.ps.PsSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The numbers of workers and servers with which a job trained, one after the other. */
public final class ServersTimeline {
    /** Looks after which a size has been come to: what it takes to get there is over. */
    private static final int SETTLED = 16;

    /**
     * @param seconds since the job was submitted, s
     * @param restarts how often all its tasks had been started again once it had trained so for a while
     * @param note what its ApplicationMaster said at first
     */
    public record Entry(double seconds, PsSize size, int restarts, String note) {
        String text() {
            return String.format(Locale.ROOT, "%6.1f s  %s%s", seconds, size.text(), note.isEmpty() ? "" : "; " + note);
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private int looks;

    /** Returns whether the size is another one than before. */
    boolean add(Entry now) {
        boolean isNew = !now.size().equals(last().orElse(null));
        looks = isNew ? 0 : looks + 1;
        if (isNew) {
            entries.add(now);
        } else if (looks <= SETTLED) {
            Entry first = entries.remove(entries.size() - 1);
            entries.add(new Entry(first.seconds(), first.size(), now.restarts(), first.note()));
        }
        return isNew;
    }

    Optional<PsSize> last() {
        return entries.isEmpty()
                ? Optional.empty()
                : Optional.of(entries.get(entries.size() - 1).size());
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Whether it went from one size to the next, while all tasks that both have trained on. */
    public boolean changedWithoutRestart(PsSize from, PsSize to) {
        for (int i = 1; i < entries.size(); i++) {
            Entry before = entries.get(i - 1);
            Entry after = entries.get(i);
            if (before.size().equals(from) && after.size().equals(to) && before.restarts() == after.restarts()) {
                return true;
            }
        }
        return false;
    }

    /** All sizes that it had, in their order. */
    public List<PsSize> sizes() {
        return entries.stream().map(Entry::size).toList();
    }

    /** Whether it had these sizes in this order, whatever lay between. */
    public boolean had(List<PsSize> sizes) {
        int found = 0;
        for (Entry entry : entries) {
            found += found < sizes.size() && entry.size().equals(sizes.get(found)) ? 1 : 0;
        }
        return found == sizes.size();
    }
}
