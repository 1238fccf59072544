// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

/** A setting that cannot be used. The message names the key, its value and what would be right. */
public final class SettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public SettingException(String key, String value, String right) {
        super(key + " is '" + value + "', must be " + right);
    }

    public SettingException(String key, String value, String right, String advice) {
        super(key + " is '" + value + "', must be " + right + ".\nMaybe " + advice);
    }
}
