// SPDX-License-Identifier: Apache-2.0
package io.treadle.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A headless Chromium with a profile of its own that ends with {@link #close}. */
public final class Browser implements AutoCloseable {
    private static final int READY_SECONDS = 60;
    private static final int READY_PAUSE_MS = 20;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> ARGUMENTS = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final String session;

    private Browser(Process driver, String session) {
        this.driver = driver;
        this.session = session;
    }

    /** @param profile an empty directory for the browser's files */
    public static Browser start(BrowserPrograms programs, Path profile) throws IOException, InterruptedException {
        Process driver = new ProcessBuilder(programs.driver().toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        try {
            String server = "http://localhost:" + port(driver);
            Browser opening = new Browser(driver, server);
            ObjectNode body = MAPPER.createObjectNode();
            ObjectNode wanted = body.putObject("capabilities").putObject("alwaysMatch");
            wanted.put("browserName", "chrome");
            wanted.putObject("goog:loggingPrefs").put("browser", "ALL").put("performance", "ALL");
            ObjectNode options = wanted.putObject("goog:chromeOptions");
            options.put("binary", programs.chromium().toString());
            ArrayNode arguments = options.putArray("args");
            ARGUMENTS.forEach(arguments::add);
            arguments.add("--user-data-dir=" + profile);
            JsonNode session = opening.send("POST", "/session", body);
            return new Browser(
                    driver, server + "/session/" + session.path("sessionId").asText());
        } catch (IOException | InterruptedException | RuntimeException e) {
            driver.destroy();
            throw e;
        }
    }

    private static int port(Process driver) throws IOException {
        BufferedReader out = new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher started = STARTED.matcher(line);
            if (started.find()) {
                return Integer.parseInt(started.group(1));
            }
            said.append(line).append('\n');
        }
        throw new IOException("chromedriver did not start: " + said);
    }

    /** Width in CSS pixels and colour scheme of the pages that are opened from now on. */
    public void screen(int width, boolean dark) throws IOException, InterruptedException {
        ObjectNode size = MAPPER.createObjectNode();
        size.put("width", width).put("height", 900).put("deviceScaleFactor", 1).put("mobile", width < 500);
        devTools("Emulation.setDeviceMetricsOverride", size);
        ObjectNode media = MAPPER.createObjectNode();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        devTools("Emulation.setEmulatedMedia", media);
    }

    /** Returns when the page has loaded. */
    public void open(String address) throws IOException, InterruptedException {
        send("POST", "/url", MAPPER.createObjectNode().put("url", address));
    }

    /** Opens a page with a script of ours, and waits until that has run: on a busy machine it may run after the page is there. */
    public void openReady(String address) throws IOException, InterruptedException {
        open(address);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (!evaluate("document.body.dataset.ready").asText().equals("true")) {
            if (System.nanoTime() > end) {
                throw new IOException(address + ": its script did not end in " + READY_SECONDS + " s");
            }
            Thread.sleep(READY_PAUSE_MS);
        }
    }

    /** The value of a JavaScript expression on the page. */
    public JsonNode evaluate(String expression) throws IOException, InterruptedException {
        ObjectNode script = MAPPER.createObjectNode().put("script", "return " + expression);
        script.putArray("args");
        return send("POST", "/execute/sync", script);
    }

    public void screenshot(Path file) throws IOException, InterruptedException {
        JsonNode picture = send("GET", "/screenshot", null);
        Files.write(file, Base64.getDecoder().decode(picture.asText()));
    }

    /** What pages said on the console since the last call, warnings and errors. */
    public List<String> consoleErrors() throws IOException, InterruptedException {
        List<String> errors = new ArrayList<>();
        for (JsonNode entry : log("browser")) {
            if (entry.path("level").asText().matches("SEVERE|WARNING")) {
                errors.add(entry.path("message").asText());
            }
        }
        return errors;
    }

    /** Addresses that pages asked for since the last call; those of the browser's own pages left out. */
    public List<String> requests() throws IOException, InterruptedException {
        List<String> addresses = new ArrayList<>();
        for (JsonNode entry : log("performance")) {
            JsonNode event = MAPPER.readTree(entry.path("message").asText()).path("message");
            String address = event.path("params").path("request").path("url").asText();
            if (event.path("method").asText().equals("Network.requestWillBeSent")
                    && !address.matches("(chrome[a-z-]*|data|about):.*")) {
                addresses.add(address);
            }
        }
        return addresses;
    }

    private JsonNode log(String type) throws IOException, InterruptedException {
        return send("POST", "/se/log", MAPPER.createObjectNode().put("type", type));
    }

    private void devTools(String command, ObjectNode parameters) throws IOException, InterruptedException {
        ObjectNode body = MAPPER.createObjectNode().put("cmd", command);
        body.set("params", parameters);
        send("POST", "/goog/cdp/execute", body);
    }

    private JsonNode send(String method, String path, @org.jspecify.annotations.Nullable ObjectNode body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(session + path))
                .timeout(PATIENCE)
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(method + " " + path + " answers " + answer.statusCode() + ": " + answer.body());
        }
        return MAPPER.readTree(answer.body()).path("value");
    }

    @Override
    public void close() throws IOException {
        try {
            send("DELETE", "", null);
            driver.destroy();
            driver.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            driver.destroy();
        }
    }
}
