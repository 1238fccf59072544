// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.TextFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which host is on which leaf switch of an InfiniBand fabric, as {@code iblinkinfo} (infiniband-diags, without {@code -l})
 * prints it: a block {@code Switch: 0x<guid> <name>:} for each switch, in it a line for each port with its LID, its number
 * and, behind {@code ==>}, the peer's LID, port and {@code "<host> <adapter>"} or switch name.
 *
 * @param racks by host, in the file's order, the leaf switch that its first port is on; {@code spine/leaf} where all links
 *     that leave the leaf go to one switch
 */
record LinkList(Map<String, String> racks) {
    private static final Pattern SWITCH = Pattern.compile("Switch:\\s+(?:0x[0-9a-fA-F]+\\s+)?(.*?):?\\s*");
    private static final Pattern PORT =
            Pattern.compile("\\s*(?:0x[0-9a-fA-F]+\\s+)?(\\d{1,9})\\s+\\d+\\[.*==\\(.*\\)==>\\s*(.*)");
    private static final Pattern PEER =
            Pattern.compile("(?:0x[0-9a-fA-F]+\\s+)?(\\d{1,9})\\s+\\d+\\[[^]]*]\\s*\"([^\"]+)\".*");
    /** Switches with a management module are described as {@code MF0;<name>:<type>/U1}. */
    private static final Pattern MANAGED = Pattern.compile("MF0;([^:]+):.*");
    /** What switches that reduce in the network show beside their hosts. */
    private static final String AGGREGATION = "Aggregation Node";

    LinkList {
        racks = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(racks));
    }

    static boolean isSwitch(String line) {
        return line.startsWith("Switch: ");
    }

    private record Peer(String lid, String name) {
        String host() {
            return name.split("\\s+", 2)[0];
        }
    }

    private static final class Switch {
        private final String name;
        private final List<Peer> peers = new ArrayList<>();

        Switch(String name) {
            this.name = name;
        }
    }

    /** @throws InputException if the file holds no host on a switch */
    static LinkList read(Path file) {
        Map<String, Switch> byLid = new LinkedHashMap<>();
        try (BufferedReader text = TextFiles.openRows(file)) {
            String name = "";
            for (String line = text.readLine(); line != null; line = text.readLine()) {
                Matcher header = SWITCH.matcher(line);
                Matcher port = PORT.matcher(line);
                if (header.matches()) {
                    Matcher managed = MANAGED.matcher(header.group(1));
                    name = managed.matches() ? managed.group(1) : header.group(1);
                } else if (line.startsWith("CA: ")) {
                    // The same links, seen from the hosts.
                    name = "";
                } else if (!name.isEmpty() && port.matches()) {
                    String named = name;
                    Switch at = byLid.computeIfAbsent(port.group(1), lid -> new Switch(named));
                    Matcher peer = PEER.matcher(port.group(2));
                    if (peer.matches() && !peer.group(2).contains(AGGREGATION)) {
                        at.peers.add(new Peer(peer.group(1), peer.group(2).trim()));
                    }
                }
            }
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage() + ".", e);
        }
        Map<String, String> racks = racks(byLid);
        if (racks.isEmpty()) {
            throw new InputException(
                    file + " names no host on a switch, must be what iblinkinfo prints: blocks that"
                            + " begin with 'Switch: ', and in them lines such as 2 1[  ] ==( … )==> 3 1[  ] \"host HCA-1\" ( ).");
        }
        return new LinkList(racks);
    }

    private static Map<String, String> racks(Map<String, Switch> byLid) {
        Map<String, String> racks = new LinkedHashMap<>();
        byLid.forEach((lid, leaf) -> {
            Set<String> above = new LinkedHashSet<>();
            leaf.peers.stream()
                    .map(Peer::lid)
                    .filter(byLid::containsKey)
                    .map(spine -> unique(byLid, spine))
                    .forEach(above::add);
            String path = (above.size() == 1 ? above.iterator().next() + "/" : "") + unique(byLid, lid);
            leaf.peers.stream()
                    .filter(peer -> !byLid.containsKey(peer.lid()))
                    .forEach(peer -> racks.putIfAbsent(peer.host(), path));
        });
        return racks;
    }

    /** Switches that nobody has named are all called after their maker: their LID tells them apart. */
    private static String unique(Map<String, Switch> byLid, String lid) {
        String name = Objects.requireNonNull(byLid.get(lid)).name;
        boolean shared =
                byLid.values().stream().filter(other -> other.name.equals(name)).count() > 1;
        return (shared ? name + " " + lid : name).replace('/', '-');
    }
}
