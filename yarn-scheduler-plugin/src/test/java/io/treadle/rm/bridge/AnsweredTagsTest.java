// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.Test;

class AnsweredTagsTest {
    /** Hadoop answers all applications that are gone with one list: a change of it would fail other threads that read it. */
    @Test
    void anEmptyAnswerIsLeftAlone() {
        List<Container> shared = new ArrayList<>();
        List<Container> reader = shared.subList(0, 0);
        assertSame(shared, AnsweredTags.own(shared));
        // It throws where the list behind it has changed, be it by nothing.
        assertEquals(0, reader.size());
    }
}
