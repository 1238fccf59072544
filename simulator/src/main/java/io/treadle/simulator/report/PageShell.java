// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.List;

/** What all pages are: one file that needs nothing else, not even the network, and runs no script but our own. */
final class PageShell {
    private PageShell() {}

    /**
     * @param title plain text
     * @param main the page's content, HTML
     * @param data elements for the scripts, HTML
     * @param scripts names of files beside this class, in the order in which they need each other
     */
    static String html(String title, String main, String data, List<String> scripts) {
        String script = PageFiles.script(scripts);
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                // Names in traces come from outside: whatever they are, nothing but our own script runs.
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                + "style-src 'unsafe-inline'; script-src "
                + PageFiles.hash(script)
                + "\"><title>"
                + Html.escape(title)
                + "</title><style>\n"
                + PageFiles.style()
                + "</style></head><body>\n<main>\n"
                + main
                + "</main>\n"
                + data
                + "<script>"
                + script
                + "</script>\n</body></html>\n";
    }
}
