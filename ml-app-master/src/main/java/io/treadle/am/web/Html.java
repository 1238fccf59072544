// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import java.util.Locale;

/** What an ApplicationMaster's pages share: self-contained, without scripts, with relative links only, so that they work behind any proxy. */
public final class Html {
    private static final String STYLE =
            """
            :root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d0d7de;--back:#fff;--card:#f3f5f7;--accent:#0072b2;--link:#0550ae;--mark:#b54708}
            @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9da7b3;--line:#3d444d;--back:#15181c;--card:#22272e;--accent:#56b4e9;--link:#79b8ff;--mark:#f0883e}}
            body{font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:1.5rem auto;max-width:64rem;padding:0 1rem}
            a{color:var(--link)}h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
            .sub{color:var(--soft);margin:.1rem 0 1rem}.note{border-left:3px solid var(--accent);background:var(--card);padding:.2rem .7rem}
            .figures{display:flex;flex-wrap:wrap;gap:.7rem}.figures div{background:var(--card);border-radius:.4rem;padding:.5rem .9rem;color:var(--soft)}
            .figures b{display:block;font-size:1.45rem;font-weight:600;color:var(--ink)}
            .bar{height:.6rem;border:1px solid var(--line);border-radius:.3rem;margin:1rem 0;overflow:hidden}.bar i{display:block;height:100%;background:var(--accent)}
            .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
            th{color:var(--soft);font-weight:600;vertical-align:bottom;white-space:nowrap}td,th{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line)}
            td{white-space:nowrap}td.w{white-space:normal;min-width:12rem}td.n,th.n{text-align:right}svg{display:block;width:100%;max-width:40rem;height:auto}
            @media(max-width:480px){svg text{font-size:18px}}svg text{font-size:12px;fill:var(--soft)}.axis{fill:none;stroke:var(--soft)}.now{stroke:var(--mark);stroke-dasharray:4 3}
            .line{fill:none;stroke:var(--accent);stroke-width:2}.point{fill:var(--accent)}
            @media print{body{max-width:none}.scroll{overflow:visible}.figures div{border:1px solid #999}}
            """;

    private Html() {}

    /** @param about below the name */
    public static void begin(StringBuilder page, String name, String about) {
        page.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
                        + "content=\"5\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><link rel=\"icon\" "
                        + "href=\"data:,\"><title>")
                .append(escape(name))
                .append(" · Treadle</title><style>")
                .append(STYLE)
                .append("</style></head><body><h1>")
                .append(escape(name))
                .append("</h1><p class=\"sub\">")
                .append(escape(about))
                .append(" · <a href=\"status.json\">status.json</a></p>");
    }

    public static String end(StringBuilder page) {
        return page.append("</body></html>").toString();
    }

    /** One of the figures at the top. */
    public static void figure(StringBuilder page, String value, String name) {
        page.append("<div><b>")
                .append(escape(value))
                .append("</b>")
                .append(escape(name))
                .append("</div>");
    }

    public static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.1f", value);
    }

    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
