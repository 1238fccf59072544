// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import io.treadle.am.yarn.GrantedContainer;
import java.util.Locale;
import java.util.Optional;

/** A container with its worker. Guarded by the {@link Fleet}. */
final class FleetMember {
    /** Where it has come to. */
    enum State {
        /** It has been started, and has not said yet where it listens. */
        STARTING,
        /** It is known where it listens, but it is not connected. */
        APART,
        /** It works. */
        READY,
        /** It works off what it has, and then ends. */
        LEAVING
    }

    private final GrantedContainer container;
    private State state;
    private long sinceMs;
    private String host = "";
    private int port;
    private Optional<Link> link = Optional.empty();
    /** Somebody is connecting to it. */
    private boolean isBeingReached;
    /** Somebody has tried, in vain. */
    private boolean wasNotReached;

    FleetMember(GrantedContainer container, long nowMs) {
        this.container = container;
        state = State.STARTING;
        sinceMs = nowMs;
    }

    String id() {
        return container.id();
    }

    State state() {
        return state;
    }

    /** How long it has been so, ms. */
    long forMs(long nowMs) {
        return nowMs - sinceMs;
    }

    private void become(State next, long nowMs) {
        state = next;
        sinceMs = nowMs;
    }

    void listensAt(String newHost, int newPort, long nowMs) {
        host = newHost;
        port = newPort;
        become(State.APART, nowMs);
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    boolean wasNotReached() {
        return wasNotReached;
    }

    void notReached() {
        wasNotReached = true;
    }

    void connected(Link newLink, long nowMs) {
        wasNotReached = false;
        link = Optional.of(newLink);
        become(State.READY, nowMs);
    }

    void disconnected(long nowMs) {
        link.ifPresent(Link::close);
        link = Optional.empty();
        become(State.APART, nowMs);
    }

    void leaves(long nowMs) {
        link.ifPresent(Link::retire);
        become(State.LEAVING, nowMs);
    }

    Optional<Link> link() {
        return link;
    }

    boolean isBeingReached() {
        return isBeingReached;
    }

    void beingReached(boolean isSo) {
        isBeingReached = isSo;
    }

    MemberView view() {
        return new MemberView(
                id(), state.name().toLowerCase(Locale.ROOT), container.host(), container.nodeHttpAddress(), host, port);
    }

    SavedWorker saved() {
        return new SavedWorker(id(), host, port);
    }
}
