// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong now: each is logged once, and shown for as long as it is so. */
final class Troubles {
    private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);

    private final Map<String, String> sentences = new TreeMap<>();

    void tell(String what, String sentence) {
        if (!sentence.equals(sentences.put(what, sentence))) {
            LOG.warn("{}", sentence);
        }
    }

    void over(String what) {
        sentences.remove(what);
    }

    List<String> all() {
        return List.copyOf(sentences.values());
    }
}
