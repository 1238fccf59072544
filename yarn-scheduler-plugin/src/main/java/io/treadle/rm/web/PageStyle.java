// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

/** Styles of Treadle's page beside those of the ResourceManager's frame. */
final class PageStyle {
    static final String CSS =
            """
            .treadle-figures { display: flex; flex-wrap: wrap; gap: 2em; margin: 0.5em 0 1em; font-size: 110%; }
            table.treadle { border-collapse: collapse; width: 100%; margin-bottom: 1.5em; }
            table.treadle th { text-align: left; border-bottom: 2px solid #888; padding: 3px 8px; }
            table.treadle td { border-bottom: 1px solid #ddd; padding: 3px 8px; vertical-align: top; }
            .treadle-cell { display: inline-block; width: 2.6em; margin: 1px; text-align: center; border: 1px solid #666; }
            .treadle-cell.sliced { background-image: repeating-linear-gradient(45deg, transparent 0 4px, #0003 4px 8px); }
            .treadle-cell.lost { background: #c00; color: #fff; }
            """;

    private PageStyle() {}
}
