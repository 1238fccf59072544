// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import java.util.regex.Pattern;
import org.apache.hadoop.security.token.SecretManager;
import org.jspecify.annotations.Nullable;

/** Tells failures that come from a delegation token whose life is over: nothing that is tried again can cure them. */
public final class ExpiredToken {
    public static final String ADVICE = "Maybe the delegation token has reached its longest life"
            + " (dfs.namenode.delegation.token.max-lifetime, 7 days unless it is set): submit the job again, it continues"
            + " from its last checkpoint where 'checkpointDir' names a directory of your own.";

    /** Hadoop's services say it in these words. */
    private static final Pattern WORDS =
            Pattern.compile("(?is)\\btoken\\b.{0,500}?(\\bexpired\\b|can't be found in cache)");

    private ExpiredToken() {}

    public static boolean isNamedBy(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SecretManager.InvalidToken || isNamedBy(String.valueOf(cause.getMessage()))) {
                return true;
            }
        }
        return false;
    }

    /** @param diagnostics what YARN says of a container that it could not start */
    public static boolean isNamedBy(String diagnostics) {
        return WORDS.matcher(diagnostics).find();
    }
}
