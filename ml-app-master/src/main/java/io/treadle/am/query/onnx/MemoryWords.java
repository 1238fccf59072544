// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import ai.onnxruntime.OrtException;
import java.util.List;
import java.util.Locale;

/** By what ONNX Runtime says that it lacked memory: it has no code for it. */
final class MemoryWords {
    /**
     * Of its arena, with or without a limit; of C++; and of CUDA, cuBLAS and cuDNN, whose messages it passes on ("CUDA failure
     * 2: out of memory"). Those of GPUs are what such libraries are known to say: none has been seen
     * here.
     */
    private static final List<String> WORDS = List.of(
            "failed to allocate memory",
            "available memory of",
            "bad_alloc",
            "bad allocation",
            "out of memory",
            "cuda_error_out_of_memory",
            "cudaerrormemoryallocation",
            "alloc_failed");

    private MemoryWords() {}

    static boolean tellOfWant(OrtException e) {
        String said = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return WORDS.stream().anyMatch(said::contains);
    }
}
