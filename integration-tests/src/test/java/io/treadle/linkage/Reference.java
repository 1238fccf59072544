// SPDX-License-Identifier: Apache-2.0
package io.treadle.linkage;

import io.treadle.linkage.ClassShape.Member;
import java.util.Optional;

/**
 * What code names of another class.
 *
 * @param from the class whose code it is
 * @param owner the class that is named
 * @param member a method or field of it; empty where the class alone is named
 * @param isStatic whether the code takes the member as static; false where there is none
 */
record Reference(String from, String owner, Optional<Member> member, boolean isStatic) {
    @Override
    public String toString() {
        return from + " -> " + owner + member.map(m -> "." + m).orElse("");
    }
}
