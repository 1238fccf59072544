// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** What {@code nvidia-smi -q -x} says of cards that MIG divides. */
final class NvidiaSmiXml {
    private static final Logger LOG = LoggerFactory.getLogger(NvidiaSmiXml.class);

    /** The tool's words for a card's mode, here and in its tables. */
    static final String ENABLED = "Enabled";

    static final String DISABLED = "Disabled";

    private NvidiaSmiXml() {}

    /**
     * @param knowsMig whether MIG can be enabled on it
     * @param instances memory of each instance, by the card's number for it
     */
    record Card(boolean knowsMig, boolean migEnabled, Map<Integer, Memory> instances) {}

    /** In MiB. */
    record Memory(long totalMiB, long usedMiB) {}

    /** The cards by their UUIDs; none where the tool prints no such XML. */
    static Map<String, Card> read(String command, CommandRunner runner) {
        CommandRunner.Result result = runner.run(List.of(command, "-q", "-x"));
        int start = result.output().indexOf("<?xml");
        if (result.exitStatus() != 0 || start < 0) {
            return Map.of();
        }
        Map<String, Card> cards = new LinkedHashMap<>();
        try {
            for (Element gpu : children(parse(result.output().substring(start)), "gpu")) {
                cards.put(text(gpu, "uuid"), card(gpu));
            }
        } catch (IOException | SAXException | ParserConfigurationException e) {
            LOG.warn("{} -q -x prints no XML that can be read: no MIG instances are seen ({})", command, e.toString());
        }
        return cards;
    }

    private static Card card(Element gpu) {
        Map<Integer, Memory> instances = new LinkedHashMap<>();
        String mode = children(gpu, "mig_mode").stream()
                .map(each -> text(each, "current_mig"))
                .findFirst()
                .orElse("");
        boolean enabled = mode.equals(ENABLED);
        for (Element all : children(gpu, "mig_devices")) {
            for (Element instance : children(all, "mig_device")) {
                for (Element memory : children(instance, "fb_memory_usage")) {
                    instances.put(
                            (int) number(text(instance, "index")),
                            new Memory(number(text(memory, "total")), number(text(memory, "used"))));
                }
            }
        }
        return new Card(enabled || mode.equals(DISABLED), enabled, instances);
    }

    /** It names a DTD beside itself, which is not there and is not asked for. */
    private static Element parse(String xml) throws IOException, SAXException, ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
        factory.setExpandEntityReferences(false);
        return factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getDocumentElement();
    }

    private static List<Element> children(Element owner, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = owner.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static String text(Element owner, String name) {
        return children(owner, name).stream()
                .map(element -> element.getTextContent().strip())
                .findFirst()
                .orElse("");
    }

    /** The number in front of its unit, as in {@code 4864 MiB}; 0 where there is none. */
    private static long number(String text) {
        String digits = text.split(" ", 2)[0];
        return digits.matches("[0-9]{1,12}") ? Long.parseLong(digits) : 0;
    }
}
