// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

/** What came of the wish that workers train with another batch. */
public enum BatchAnswer {
    /** They have not answered yet. */
    AWAITED,
    /** They train with it. */
    OBEYED,
    /** It does not fit. */
    REFUSED,
    /** They have not answered in time. */
    IGNORED
}
