// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

/** Styles of {@code demo.html} and {@code serve.html}: Okabe and Ito's colours, dark where the reader's screen is, and fit to print. */
public final class DemoPageStyle {
    public static final String CSS =
            """
            :root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d5dae1;--back:#fff;--card:#f5f7f9;--accent:#0072b2;--bad:#b3261e}
            @media(prefers-color-scheme:dark){:root{--ink:#e7eaee;--soft:#a3adba;--line:#3a424d;--back:#15181c;--card:#1e2329;--accent:#56b4e9;--bad:#ff7b72}}
            body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:0 auto;max-width:62rem;padding:1rem}
            h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .4rem}p{margin:.3rem 0;color:var(--soft)}
            .big{font-size:1.15rem;color:var(--ink)}.scroll{overflow-x:auto}.bad{color:var(--bad)}
            .figures{display:flex;flex-wrap:wrap;gap:.8rem;margin:.9rem 0}.figures div{background:var(--card);border-radius:.4rem;padding:.5rem .9rem;color:var(--soft);flex:1 1 9rem;max-width:16rem}
            .figures b{display:block;font-size:1.5rem;font-weight:600;color:var(--ink)}
            table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
            th,td{text-align:right;padding:.25rem .6rem;border-bottom:1px solid var(--line)}td{white-space:nowrap}td.wrap{white-space:normal}
            th:first-child,td:first-child,.left{text-align:left}tr.mean td{font-weight:600}th{color:var(--soft);font-weight:600;vertical-align:bottom}
            details{margin:.6rem 0}summary{cursor:pointer;color:var(--accent)}
            svg{width:100%;height:auto;display:block}rect{shape-rendering:crispEdges}svg.timeline{min-width:46rem}
            .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(13.5rem,1fr));gap:.8rem}figcaption span{display:block}
            .cards figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.5rem}figcaption{font-size:.85rem}figcaption span{color:var(--soft)}
            .grid{stroke:var(--line)}.life{stroke:var(--soft)}.wait{stroke:var(--soft);stroke-dasharray:2 3}.limit{stroke:var(--ink);stroke-dasharray:5 3}
            .tick,.note{fill:var(--soft);font-size:10px}.tick{text-anchor:middle}.scale{fill:var(--soft);font-size:10px;text-anchor:end}
            .lane{fill:var(--ink);font-size:12px}.held{fill:var(--ink);font-size:9.5px;text-anchor:middle}.end{fill:var(--soft);font-size:10px}
            polyline{fill:none;stroke:var(--accent);stroke-width:2}circle{fill:var(--accent)}
            .c0{fill:#56b4e9}.c1{fill:#e69f00}.c2{fill:#009e73}.c3{fill:#f0e442}.c4{fill:#cc79a7}.c5{fill:#d55e00}.c6{fill:#8da0cb}.c7{fill:#999}.c8{fill:#0072b2}.c9{fill:#b2df8a}
            @media(max-width:480px){th,td{padding:.2rem .3rem}th{overflow-wrap:anywhere;font-size:.85rem}.cards{grid-template-columns:1fr 1fr;gap:.4rem}}
            @media print{body{max-width:none;font-size:11px;padding:0}.scroll{overflow:visible}svg.timeline{min-width:0}h2{break-after:avoid}figure,tr,svg{break-inside:avoid}
            .figures div{border:1px solid #999}}
            """;

    private DemoPageStyle() {}
}
