// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.ProfileImport;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.profile.ProfileKey;
import io.treadle.rm.profile.ProfileStore;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import javax.inject.Inject;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** Stored profiles (spec: {@code docs/spec/rm-rest.md}): everybody's own, and administrators all. */
@Path("/ws/v1/treadle/profiles")
@Produces(MediaType.APPLICATION_JSON)
public final class ProfilesResource {
    private final ResourceManager resourceManager;
    private final InstantSource clock = InstantSource.system();

    @Inject
    public ProfilesResource(ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    @GET
    public String list(
            @Context HttpServletRequest request,
            @QueryParam("user") @DefaultValue("") String user,
            @QueryParam("limit") @DefaultValue("") String limit,
            @QueryParam("offset") @DefaultValue("") String offset) {
        PageOf page;
        try {
            page = PageOf.parse(limit, offset);
        } catch (IllegalArgumentException e) {
            throw HttpErrors.badRequest(String.valueOf(e.getMessage()));
        }
        Viewer viewer = new Viewer(resourceManager, request);
        Predicate<String> users =
                owner -> (user.isEmpty() || owner.equals(ZkPaths.name(user))) && viewer.maySeeProfilesOf(owner);
        ProfileStore.Found found = read(() -> store().of(users, page.offset(), page.limit()));
        return ProfilesJson.list(found, page, clock.millis());
    }

    @GET
    @Path("{user}/{model}/{gpu}/{batch}")
    public String one(
            @Context HttpServletRequest request,
            @PathParam("user") String user,
            @PathParam("model") String model,
            @PathParam("gpu") String gpu,
            @PathParam("batch") String batch) {
        ProfileKey key = key(user, model, gpu, batch);
        Viewer viewer = new Viewer(resourceManager, request);
        if (!viewer.maySeeProfilesOf(key.user())) {
            throw HttpErrors.forbidden(viewer.name() + " may not see profiles of '" + key.user() + "'");
        }
        return read(() -> store().find(key))
                .map(profile -> ProfilesJson.one(key, profile, clock.millis()))
                .orElseThrow(() -> HttpErrors.notFound("there is no profile '" + key + "'"));
    }

    @PUT
    @Path("{user}/{model}/{gpu}/{batch}")
    @Consumes(MediaType.APPLICATION_JSON)
    public String put(
            @Context HttpServletRequest request,
            @PathParam("user") String user,
            @PathParam("model") String model,
            @PathParam("gpu") String gpu,
            @PathParam("batch") String batch,
            InputStream body)
            throws IOException {
        ProfileKey key = key(user, model, gpu, batch);
        checkMayChange(request, key);
        String text = new String(body.readNBytes(ProfileImport.MOST_CHARACTERS + 1), StandardCharsets.UTF_8);
        ProfileRecord profile;
        try {
            profile = ProfileImport.read("the profile", text, clock.millis());
        } catch (WireFormatException e) {
            throw HttpErrors.badRequest(String.valueOf(e.getMessage()));
        }
        ProfileKey own = ProfileKey.of(user, profile.modelTag(), profile.gpuModel(), profile.batchSize());
        if (!own.equals(key)) {
            throw HttpErrors.badRequest("the profile is '" + own + "', must be '" + key + "' as in the address");
        }
        Optional<ProfileRecord> before = read(() -> {
            Optional<ProfileRecord> was = store().find(key);
            if (!store().put(key, profile)) {
                throw HttpErrors.badRequest("user '" + key.user() + "' has " + ProfileStore.MOST_OF_A_USER
                        + " stored profiles, which is the most that are kept.\nMaybe: treadle profile forget MODEL");
            }
            return was;
        });
        return ProfilesJson.change("stored", key, profile, before.isPresent());
    }

    @DELETE
    @Path("{user}/{model}/{gpu}/{batch}")
    public String forget(
            @Context HttpServletRequest request,
            @PathParam("user") String user,
            @PathParam("model") String model,
            @PathParam("gpu") String gpu,
            @PathParam("batch") String batch) {
        ProfileKey key = key(user, model, gpu, batch);
        checkMayChange(request, key);
        return read(() -> store().forget(key))
                .map(was -> ProfilesJson.change("removed", key, was, true))
                .orElseThrow(() -> HttpErrors.notFound("there is no profile '" + key + "'"));
    }

    private void checkMayChange(HttpServletRequest request, ProfileKey key) {
        Viewer viewer = new Viewer(resourceManager, request);
        if (!viewer.mayChangeProfilesOf(key.user())) {
            throw HttpErrors.forbidden(viewer.name() + " may not change profiles of '" + key.user() + "'");
        }
    }

    private static ProfileKey key(String user, String model, String gpu, String batch) {
        if (!batch.matches("[0-9]{1,18}")) {
            throw HttpErrors.badRequest("the batch size is '" + batch + "', must be a whole number, 0 where unknown");
        }
        return ProfileKey.of(user, model, gpu, Long.parseLong(batch));
    }

    private ProfileStore store() {
        if (!(resourceManager.getResourceScheduler() instanceof TreadleScheduler scheduler)) {
            throw HttpErrors.notFound(JobAnswer.otherScheduler());
        }
        return scheduler
                .profiles()
                .orElseThrow(() -> HttpErrors.notFound(
                        "this cluster keeps no profiles: hadoop.zk.address is not set on the ResourceManager"));
    }

    private <T> T read(Callable<T> call) {
        if (!store().isReachable()) {
            throw away("it is not connected");
        }
        try {
            return call.call();
        } catch (WebApplicationException e) {
            throw e;
        } catch (Exception e) { // Curator declares no narrower type.
            throw away(e.toString());
        }
    }

    private static WebApplicationException away(String why) {
        return new WebApplicationException(Response.status(Response.Status.SERVICE_UNAVAILABLE)
                .entity(ProfilesJson.error("ZooKeeper, where profiles are kept, cannot be reached now: " + why))
                .type(MediaType.APPLICATION_JSON)
                .build());
    }
}
