// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import io.treadle.am.protocol.RunnerProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * The secrets that the client sent along.
 *
 * @param jobSecret shared with the runners
 * @param zkSecret password of the job's ZooKeeper identity; empty where there is none
 * @param forRunners the job's secret and the tokens that workers may use, in Hadoop's format: a node writes them into a
 *     file that only the container's user reads
 */
public record AmCredentials(String jobSecret, String zkSecret, ByteBuffer forRunners) {
    private static final Text JOB_SECRET = new Text(RunnerProtocol.JOB_SECRET);
    private static final Text ZK_SECRET = new Text("treadle.zk-secret");

    /** @throws IllegalStateException if the client sent no secret for the job */
    public static AmCredentials current() throws IOException {
        Credentials all = UserGroupInformation.getCurrentUser().getCredentials();
        String jobSecret = secret(all, JOB_SECRET);
        if (jobSecret.isEmpty()) {
            throw new IllegalStateException("the application's credentials lack '" + JOB_SECRET
                    + "'.\nMaybe it was not submitted by Treadle's client.");
        }
        Credentials runners = new Credentials();
        runners.addSecretKey(JOB_SECRET, jobSecret.getBytes(StandardCharsets.UTF_8));
        for (Token<? extends TokenIdentifier> token : all.getAllTokens()) {
            if (!token.getKind().equals(AMRMTokenIdentifier.KIND_NAME)) {
                runners.addToken(token.getService(), token);
            }
        }
        DataOutputBuffer buffer = new DataOutputBuffer();
        runners.writeTokenStorageToStream(buffer);
        return new AmCredentials(
                jobSecret, secret(all, ZK_SECRET), ByteBuffer.wrap(buffer.getData(), 0, buffer.getLength()));
    }

    private static String secret(Credentials credentials, Text name) {
        byte[] secret = credentials.getSecretKey(name);
        return secret == null ? "" : new String(secret, StandardCharsets.UTF_8);
    }

    /** Secrets never show in logs. */
    @Override
    public String toString() {
        return "AmCredentials";
    }
}
