// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.protocol.RunnerProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.client.util.YarnClientUtils;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * What one job's processes must know and nobody else may.
 *
 * @param zkSecret password of the job's ZooKeeper identity, whose user is the application id
 * @param jobSecret shared by the ApplicationMaster and its runners
 */
record JobSecrets(String zkSecret, String jobSecret) {
    static final Text ZK_SECRET = new Text("treadle.zk-secret");
    static final Text JOB_SECRET = new Text(RunnerProtocol.JOB_SECRET);

    private static final int BYTES = 32;

    static JobSecrets random(SecureRandom random) {
        return new JobSecrets(hex(random), hex(random));
    }

    private static String hex(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** ZooKeeper's ACL id for the job: the password itself never leaves the job. */
    String zkDigest(String applicationId) {
        try {
            return DigestAuthenticationProvider.generateDigest(applicationId + ":" + zkSecret);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no digest for ZooKeeper's ACLs", e);
        }
    }

    /** The secrets, what the user already carries, and under Kerberos tokens for the file systems that the job uses. */
    Credentials credentials(Configuration conf, FileSystem staging, List<Path> others) throws IOException {
        Credentials credentials =
                new Credentials(UserGroupInformation.getCurrentUser().getCredentials());
        if (UserGroupInformation.isSecurityEnabled()) {
            String renewer = YarnClientUtils.getRmPrincipal(conf);
            staging.addDelegationTokens(renewer, credentials);
            for (Path path : others) {
                path.getFileSystem(conf).addDelegationTokens(renewer, credentials);
            }
        }
        credentials.addSecretKey(ZK_SECRET, zkSecret.getBytes(StandardCharsets.UTF_8));
        credentials.addSecretKey(JOB_SECRET, jobSecret.getBytes(StandardCharsets.UTF_8));
        return credentials;
    }

    static ByteBuffer serialize(Credentials credentials) throws IOException {
        DataOutputBuffer buffer = new DataOutputBuffer();
        credentials.writeTokenStorageToStream(buffer);
        return ByteBuffer.wrap(buffer.getData(), 0, buffer.getLength());
    }

    /** Secrets never show in logs. */
    @Override
    public String toString() {
        return "JobSecrets";
    }
}
