// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

/**
 * Styles of Treadle's pages beside those of the ResourceManager's frame, and what the frame needs to bear dark and
 * narrow.
 */
final class PageStyle {
    private static final String FRAME =
            """
            @media (max-width: 800px) {
             #layout, #layout > tbody, #layout > thead, #layout > tfoot, #layout > * > tr, #layout > * > tr > td {display:block; width:auto}
             #layout > tbody > tr {display:flex; flex-direction:column-reverse}
             #layout #navcell {width:auto; padding:0 0.5em}
             #layout td.content {padding:0 0.5em}
             #header {padding:0.5em; height:auto; overflow:hidden} #header h1 {font-size:1.2em; clear:both}
             #logo, #user {top:0} #logo img {max-width:9em; height:auto}
            }
            @media (prefers-color-scheme: dark) {
             :root {color-scheme:dark}
             body, #layout.ui-widget-content, #layout .ui-widget-content {background:#15181c; color:#e6edf3; border-color:#3d444d}
             #layout.ui-widget-content a, #layout .ui-widget-content a {color:#79b8ff}
             #layout .ui-state-default, #layout .ui-state-active, #layout .ui-state-hover {background:#22272e; color:#e6edf3; border-color:#3d444d}
             #header {background:#15181c; color:#e6edf3; border-color:#3d444d}
             #logo img {background:#fff; border-radius:4px}
            }
            @media print {#navcell, #header, #footer {display:none !important}}
            """;

    private static final String CONTENT =
            """
            .treadle {--ink:#1b1f24; --soft:#59636e; --line:#d0d7de; --card:#f3f5f7; --link:#0550ae; --accent:#0072b2; --mark:#b54708; --lost:#b3261e;
             color:var(--ink); font-size:14px; line-height:1.45; padding:.3em 0 2em; max-width:calc(100vw - 16em)}
            @media (max-width: 800px) {.treadle {max-width:calc(100vw - 1.5em)}}
            @media (prefers-color-scheme: dark) {.treadle {--ink:#e6edf3; --soft:#9da7b3; --line:#3d444d; --card:#22272e; --link:#79b8ff; --accent:#56b4e9; --mark:#f0883e; --lost:#da3633}}
            #layout.ui-widget-content .treadle a {color:var(--link)}
            .treadle h2 {font-size:1.5em; margin:.1em 0}
            .treadle h3 {font-size:1.15em; font-weight:600; margin:1.4em 0 .3em}
            .treadle .soft {color:var(--soft)} .treadle .nowrap {white-space:nowrap} .treadle .name {overflow-wrap:anywhere; min-width:8em}
            .treadle .explain {border-left:3px solid var(--accent); padding:.2em .7em; margin:.7em 0; background:var(--card); color:var(--ink)}
            .treadle .links {margin:.5em 0} .treadle .pages {margin:.4em 0; color:var(--soft)}
            .treadle .figures {display:flex; flex-wrap:wrap; gap:.7em; margin:.7em 0 1em}
            .treadle .figures > div {background:var(--card); border-radius:6px; padding:.5em .9em; color:var(--soft); flex:1 1 9em; max-width:15em}
            .treadle .figures b {display:block; color:var(--ink); font-size:1.45em; font-weight:600}
            .treadle .scroll {overflow-x:auto}
            .treadle table {border-collapse:collapse; width:auto; min-width:60%; font-variant-numeric:tabular-nums}
            .treadle th {text-align:left; font-weight:600; color:var(--soft); border-bottom:2px solid var(--line); padding:.25em .7em .25em 0; vertical-align:bottom; white-space:nowrap}
            .treadle td {border-bottom:1px solid var(--line); padding:.3em .7em .3em 0; vertical-align:top}
            .treadle .n {text-align:right} .treadle .why td {color:var(--soft); padding-top:0; padding-left:1.2em} .treadle .why span {position:sticky; left:1.2em; display:inline-block; max-width:min(100%, calc(100vw - 4em))} .treadle .job td {border-bottom:none}
            .treadle .bar {display:inline-block; width:4.5em; height:.6em; background:var(--card); border:1px solid var(--line); border-radius:3px; overflow:hidden}
            .treadle .bar i {display:block; height:100%; background:var(--accent)}
            .treadle .swatch {display:inline-block; width:.75em; height:.75em; border-radius:2px; margin-right:.4em}
            .treadle .cell {display:inline-block; min-width:1.9em; margin:0 2px 2px 0; text-align:center; border:1px solid var(--soft); border-radius:3px; text-decoration:none; color:var(--ink)}
            #layout.ui-widget-content .treadle a.cell {color:#111}
            .treadle .cell.free {color:var(--soft); border-style:dashed}
            .treadle .cell.other {background:#8c959f; color:#111}
            .treadle .cell.sliced {background-image:repeating-linear-gradient(45deg, transparent 0 4px, #0004 4px 7px)}
            .treadle .cell.lost {background:var(--lost); color:#fff; text-decoration:line-through}
            .treadle svg text {font:11px sans-serif; fill:var(--soft)}
            .treadle .cells {margin-left:.5em} .treadle svg.spark {display:block; margin-left:auto} .treadle svg.spark polyline {fill:none; stroke:var(--accent); stroke-width:1.5}
            .treadle svg.chart {width:100%; min-width:34em; max-width:62em; height:auto; display:block}
            .treadle svg.curve {min-width:0; max-width:40em}
            .treadle .grid {stroke:var(--line)} .treadle .axis {stroke:var(--soft)}
            .treadle svg .tick {text-anchor:middle} .treadle svg .scale {text-anchor:end} .treadle svg .name, .treadle svg .marktext {fill:var(--ink)}
            .treadle .size {fill:var(--accent)} .treadle .speed, .treadle .fit {fill:none; stroke:var(--accent); stroke-width:2}
            .treadle .drawn {fill:var(--accent); opacity:.15}
            .treadle .point {fill:var(--accent)} .treadle .mark {stroke-dasharray:4 3; stroke:var(--soft)} .treadle .mark.now {stroke:var(--mark)}
            .treadle details {margin-top:1.2em} .treadle summary {cursor:pointer; color:var(--link)}
            @media print {.treadle {max-width:none} .treadle .scroll {overflow:visible} .treadle svg.chart {min-width:0} .treadle .cell, .treadle .bar i, .treadle .swatch, .treadle .figures > div {print-color-adjust:exact; -webkit-print-color-adjust:exact}}
            """;

    /** In the content, so after the frame's own styles. As raw markup: Hamlet would escape the selectors. */
    static final String ELEMENT = "<style>" + FRAME + CONTENT + "</style>";

    private PageStyle() {}
}
