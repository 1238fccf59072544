// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.protocol.RunnerProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Calls the ApplicationMaster, wherever it is just now. */
final class AmClient implements AmCalls {
    private static final int CONNECT_TIMEOUT_MS = 2_000;
    private static final int READ_TIMEOUT_MS = 5_000;
    private static final int MAX_ANSWER_BYTES = 1 << 20;

    private final String secret;
    private volatile String address;

    AmClient(String address, String secret) {
        this.address = address;
        this.secret = secret;
    }

    /** A new ApplicationMaster has said where it is. */
    void moveTo(String newAddress) {
        address = newAddress;
    }

    @Override
    public Directive register(RegisterMessage message) throws IOException {
        return call(RunnerProtocol.REGISTER, message.toJson());
    }

    @Override
    public Directive report(ReportMessage message) throws IOException {
        return call(RunnerProtocol.REPORT, message.toJson());
    }

    @Override
    public Directive finished(FinishedMessage message) throws IOException {
        return call(RunnerProtocol.FINISHED, message.toJson());
    }

    private Directive call(String path, String body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + address + path).toURL().openConnection();
        connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
        connection.setReadTimeout(READ_TIMEOUT_MS);
        connection.setRequestMethod("POST");
        connection.setRequestProperty(RunnerProtocol.SECRET_HEADER, secret);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        if (status == RunnerProtocol.STATUS_REGISTER_FIRST) {
            throw new AmCalls.RegisterFirstException();
        }
        if (status == RunnerProtocol.STATUS_GONE) {
            return Directive.exit(0);
        }
        if (status != HttpURLConnection.HTTP_OK) {
            throw new IOException("ApplicationMaster at " + address + " answered " + path + " with status " + status);
        }
        try (InputStream in = connection.getInputStream()) {
            return Directive.fromJson(new String(in.readNBytes(MAX_ANSWER_BYTES), StandardCharsets.UTF_8));
        }
    }
}
