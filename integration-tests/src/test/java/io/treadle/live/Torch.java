// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.Python;
import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/** What tests that train need, and not every machine has. */
public final class Torch {
    private Torch() {}

    /** Skips the test, and says why, where PyTorch or scikit-learn is missing. */
    public static void assumeThere() throws IOException, InterruptedException {
        boolean there = new ProcessBuilder(Python.interpreter(), "-c", "import torch, sklearn")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
        Assumptions.assumeTrue(there, "no PyTorch or no scikit-learn for " + Python.interpreter());
    }
}
