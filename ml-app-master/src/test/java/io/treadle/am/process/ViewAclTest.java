// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.junit.jupiter.api.Test;

class ViewAclTest {
    private static Configuration with(boolean acls) {
        Configuration conf = new Configuration(false);
        conf.setBoolean("yarn.acl.enable", acls);
        conf.set("yarn.admin.acl", "boss");
        return conf;
    }

    private static ViewAcl of(boolean node, boolean client, Map<ApplicationAccessType, String> acls) {
        return ViewAcl.of(with(node), with(client), "ada", acls);
    }

    @Test
    void withAclsOnTheUserViewersAndAdministratorsRead() {
        ViewAcl acl = of(true, true, Map.of(ApplicationAccessType.VIEW_APP, "carol "));
        assertTrue(acl.mayRead(Optional.of("ada")));
        assertTrue(acl.mayRead(Optional.of("carol")));
        assertTrue(acl.mayRead(Optional.of("boss")));
        assertFalse(acl.mayRead(Optional.of("bob")));
        assertFalse(acl.mayRead(Optional.empty()));
    }

    @Test
    void withoutAViewAclOthersDoNotRead() {
        assertFalse(of(true, true, Map.of()).mayRead(Optional.of("bob")));
        assertTrue(of(true, true, Map.of()).mayRead(Optional.of("ada")));
    }

    @Test
    void aclsCountWhereTheNodeOrTheClientHasThemOn() {
        assertFalse(of(true, false, Map.of()).mayRead(Optional.of("bob")));
        assertFalse(of(false, true, Map.of()).mayRead(Optional.of("bob")));
    }

    @Test
    void withAclsOffEverybodyReads() {
        assertTrue(of(false, false, Map.of()).mayRead(Optional.of("bob")));
        assertTrue(of(false, false, Map.of()).mayRead(Optional.empty()));
    }
}
