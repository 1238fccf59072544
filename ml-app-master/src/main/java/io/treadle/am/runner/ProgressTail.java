// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.protocol.ReportMessage;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.ProgressLine;
import io.treadle.core.wire.WireFormatException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Follows a worker's progress file. The file is the user's: whatever it holds, following it never fails and takes a
 * bounded effort; what was wrong is counted by kind.
 */
final class ProgressTail {
    /** Bytes read in one poll. */
    static final int MAX_BYTES_PER_POLL = 256 * 1024;
    /** A backlog above this is skipped to its end. */
    static final long MAX_BACKLOG_BYTES = 1 << 20;
    /** Lines parsed in one poll; of more, only the last and those that carry an answer. */
    static final int MAX_LINES_PER_POLL = 200;

    static final int MAX_LINE_BYTES = 16 * 1024;

    /** More than any worker does: one wrong count would make all right ones after it go back. */
    private static final double MOST_SAMPLES_PER_SECOND = 1e9;

    private final Path file;
    private final Map<String, Long> problems = new TreeMap<>();
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private long offset;
    private boolean discarding;
    private Optional<ProgressLine> last = Optional.empty();
    /** Since they were last taken. */
    private final List<ProgressLine> fresh = new ArrayList<>();

    private String checkpoint = "";
    private long answeredEpoch;
    private final BatchTail batch = new BatchTail();
    private Optional<DataReport> data = Optional.empty();

    ProgressTail(Path file) {
        this.file = file;
    }

    /** Reads what was appended since the last poll. */
    void poll(double nowSeconds) {
        File plain = file.toFile();
        if (!plain.isFile()) {
            return;
        }
        try (RandomAccessFile reader = new RandomAccessFile(plain, "r")) {
            long length = reader.length();
            if (length < offset) {
                count("truncated");
                restartAt(0);
            }
            if (length - offset > MAX_BACKLOG_BYTES) {
                count("too fast");
                restartAt(length - MAX_BYTES_PER_POLL);
                discarding = true;
            }
            reader.seek(offset);
            byte[] bytes = new byte[(int) Math.min(MAX_BYTES_PER_POLL, length - offset)];
            int read = reader.read(bytes);
            if (read > 0) {
                offset += read;
                takeAll(linesOf(bytes, read), nowSeconds);
            }
        } catch (IOException e) {
            count("unreadable");
        }
    }

    private void restartAt(long newOffset) {
        offset = newOffset;
        partial.reset();
        discarding = false;
    }

    private List<String> linesOf(byte[] bytes, int length) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                if (!discarding) {
                    lines.add(partial.toString(StandardCharsets.UTF_8));
                }
                partial.reset();
                discarding = false;
            } else if (!discarding) {
                partial.write(bytes[i]);
                if (partial.size() > MAX_LINE_BYTES) {
                    count("line too long");
                    partial.reset();
                    discarding = true;
                }
            }
        }
        return lines;
    }

    private void takeAll(List<String> lines, double nowSeconds) {
        int skipped = Math.max(0, lines.size() - MAX_LINES_PER_POLL);
        if (skipped > 0) {
            count("too fast");
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (i >= skipped || line.contains("\"checkpoint\"") || line.contains("\"commandEpoch\"")) {
                take(line, nowSeconds);
            }
        }
    }

    private void take(String text, double nowSeconds) {
        if (text.isBlank()) {
            return;
        }
        ProgressLine line;
        try {
            line = ProgressLine.fromJson(text);
        } catch (WireFormatException e) {
            count("malformed");
            return;
        }
        checkpoint = line.checkpoint().orElse(checkpoint);
        answeredEpoch = Math.max(answeredEpoch, line.commandEpoch().orElse(0));
        batch.take(line);
        if (line.impossibleData()) {
            count("impossible data");
        }
        if (last.isPresent()
                && (line.samples() < last.get().samples()
                        || line.ts() < last.get().ts())) {
            count("goes back");
            return;
        }
        if (line.ts() > nowSeconds + 60) {
            count("in the future");
            return;
        }
        if (last.isPresent() && isImpossiblyFast(last.get(), line)) {
            count("impossibly fast");
            return;
        }
        last = Optional.of(line);
        if (fresh.size() == ReportMessage.MOST_READINGS) {
            thin();
        }
        fresh.add(line);
        data = line.data().or(() -> data);
    }

    /** Of many, every other one says as much. */
    private void thin() {
        List<ProgressLine> all = List.copyOf(fresh);
        fresh.clear();
        for (int i = 1; i < all.size(); i += 2) {
            fresh.add(all.get(i));
        }
    }

    private static boolean isImpossiblyFast(ProgressLine before, ProgressLine line) {
        double seconds = Math.max(1, line.ts() - before.ts());
        return line.samples() - before.samples() > MOST_SAMPLES_PER_SECOND * seconds;
    }

    private void count(String problem) {
        problems.merge(problem, 1L, Long::sum);
    }

    Optional<ProgressLine> last() {
        return last;
    }

    /** Progress since the last call, by time; of much of it some. */
    List<ProgressLine> takeFresh() {
        List<ProgressLine> taken = List.copyOf(fresh);
        fresh.clear();
        return taken;
    }

    String checkpoint() {
        return checkpoint;
    }

    long answeredEpoch() {
        return answeredEpoch;
    }

    /** What the worker says of the batch that it trains with. */
    BatchTail batch() {
        return batch;
    }

    /** What the worker said last of the data that it reads. */
    Optional<DataReport> data() {
        return data;
    }

    Map<String, Long> problems() {
        return Map.copyOf(problems);
    }
}
