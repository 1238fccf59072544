// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * Who may touch the job's node: the job itself and the ResourceManager. Where the ResourceManager's identity is not
 * configured, everybody may read, for it has to.
 *
 * @param job the job's digest
 * @param resourceManager the ResourceManager's; empty where it is not configured
 */
record JobAcl(Id job, Optional<Id> resourceManager) {
    /** {@code scheme:id} of the ResourceManager, such as {@code digest:rm:hash} or {@code sasl:rm}. */
    static final String RM_ACL = "treadle.zk-rm-acl";

    static JobAcl of(String applicationId, String zkSecret, String rmAcl) {
        try {
            Id job = new Id("digest", DigestAuthenticationProvider.generateDigest(applicationId + ":" + zkSecret));
            int colon = rmAcl.indexOf(':');
            if (rmAcl.isEmpty()) {
                return new JobAcl(job, Optional.empty());
            }
            if (colon < 1) {
                throw new IllegalArgumentException(
                        RM_ACL + " is '" + rmAcl + "', must read scheme:id, such as digest:rm:hash");
            }
            // A bare user:hash is a digest, as Hadoop's own settings write it.
            String scheme = rmAcl.substring(0, colon);
            boolean known = scheme.equals("digest") || scheme.equals("sasl") || scheme.equals("x509");
            return new JobAcl(
                    job, Optional.of(known ? new Id(scheme, rmAcl.substring(colon + 1)) : new Id("digest", rmAcl)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no digest for ZooKeeper's ACLs", e);
        }
    }

    static byte[] authentication(String applicationId, String zkSecret) {
        return (applicationId + ":" + zkSecret).getBytes(StandardCharsets.UTF_8);
    }

    List<ACL> acls() {
        List<ACL> acls = new ArrayList<>();
        acls.add(new ACL(ZooDefs.Perms.ALL, job));
        acls.add(
                resourceManager.isPresent()
                        ? new ACL(ZooDefs.Perms.ALL, resourceManager.get())
                        : new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        return acls;
    }

    /** Someone beside the job and the ResourceManager who could have written a node; only told where the latter is known. */
    Optional<String> strangerWhoMayWrite(List<ACL> acls) {
        if (resourceManager.isEmpty()) {
            return Optional.empty();
        }
        return acls.stream()
                .filter(a -> (a.getPerms() & (ZooDefs.Perms.WRITE | ZooDefs.Perms.ADMIN)) != 0)
                .map(ACL::getId)
                .filter(id -> !id.equals(job) && !id.equals(resourceManager.get()))
                .map(id -> id.getScheme() + ":" + id.getId())
                .findFirst();
    }
}
