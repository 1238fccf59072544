// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.model;

/** A file is no model that may be loaded. The message says why, without the file's name, and what would be right. */
public class UnsafeModelException extends Exception {
    private static final long serialVersionUID = 1;

    UnsafeModelException(String message) {
        super(message);
    }
}
