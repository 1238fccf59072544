// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names for people from ids such as {@code [engine:…]/[class:…]/[test-template:name(int)]/[test-template-invocation:#2]}. */
final class TestIds {
    private static final Pattern METHOD = Pattern.compile("\\[(?:method|test-template):(\\w+)\\(");
    private static final Pattern INVOCATION = Pattern.compile("\\[test-template-invocation:(#\\d+)]");

    private TestIds() {}

    /** {@code name} or {@code name#2}; for a whole class, or what is no method, the last part of the id. */
    static String method(String id) {
        Matcher method = METHOD.matcher(id);
        if (!method.find()) {
            return id.substring(id.lastIndexOf(':') + 1, id.length() - 1);
        }
        Matcher invocation = INVOCATION.matcher(id);
        return method.group(1) + (invocation.find() ? invocation.group(1) : "");
    }
}
