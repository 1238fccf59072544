// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.treadle.rm.web.TreadleWebFeature;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class WebServicesTest {
    private static final String CUSTOM = "yarn.webapp.custom.webservice.class";
    private static final String EXTERNAL = "yarn.http.rmwebapp.external.classes";
    private static final List<String> OURS = List.of(
            "io.treadle.rm.web.TreadleResource",
            "io.treadle.rm.web.ProfilesResource",
            "io.treadle.rm.web.PowerResource");

    private final Configuration configuration = new Configuration(false);

    @Test
    void namesTheFeatureWhereTheresJersey2() {
        WebServices.addTo(configuration, true);
        assertEquals(TreadleWebFeature.class, configuration.getClass(CUSTOM, null));
        assertNull(configuration.get(EXTERNAL));
    }

    @Test
    void leavesTheServicesOfSomebodyElse() {
        configuration.set(CUSTOM, "org.example.Services");
        WebServices.addTo(configuration, true);
        assertEquals("org.example.Services", configuration.get(CUSTOM));
    }

    @Test
    void addsTheResourcesOnceWhereTheresJersey1() {
        configuration.set(EXTERNAL, "org.example.More, io.treadle.rm.web.PowerResource");
        configuration.set(CUSTOM, "org.example.Services");
        WebServices.addTo(configuration, false);
        WebServices.addTo(configuration, false);
        assertEquals(
                List.of("org.example.More", OURS.get(2), OURS.get(0), OURS.get(1)),
                List.copyOf(configuration.getStringCollection(EXTERNAL)));
        assertEquals("org.example.Services", configuration.get(CUSTOM));
    }

    @Test
    void resourcesAreClassesAndTheFeatureIsTakenOutWhereItCannotBeLoaded() {
        configuration.set(CUSTOM, TreadleWebFeature.class.getName());
        WebServices.addTo(configuration, false);
        assertNull(configuration.get(CUSTOM));
        assertEquals(
                OURS,
                List.of(configuration.getClasses(EXTERNAL)).stream()
                        .map(Class::getName)
                        .toList());
    }
}
