// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import com.google.inject.servlet.GuiceFilter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.webapp.WebServer;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.WebApp;
import org.eclipse.jetty.servlet.FilterHolder;

/**
 * Gives the pages of each daemon back to it. Hadoop lets Jetty make Guice's filter, and such a filter uses one static
 * pipeline for the whole JVM: that of the daemon that started last, so that all others answer 404 to
 * {@code /cluster} and {@code /node}. Real clusters have a JVM for each daemon. There is no other way to it than these
 * private fields.
 */
final class WebPipelines {
    private WebPipelines() {}

    static void separate(ResourceManager resourceManager, List<NodeManager> nodes) {
        try {
            WebApp cluster = (WebApp) get(ResourceManager.class, "webApp", resourceManager);
            separate(cluster);
            lookInItsOwnPackage(cluster);
            for (NodeManager node : nodes) {
                for (Service service : node.getServices()) {
                    if (service instanceof WebServer) {
                        separate((WebApp) get(WebServer.class, "webApp", service));
                    }
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Hadoop's web servers are not made as those of 3.5.0", e);
        }
    }

    private static void separate(WebApp app) throws ReflectiveOperationException {
        // Made by the daemon's own injector, so it knows the daemon's own pipeline.
        Object own = get(GuiceFilter.class, "injectedPipeline", get(WebApp.class, "guiceFilter", app));
        HttpServer2 server = app.getHttpServer();
        for (FilterHolder holder : server.getWebAppContext().getServletHandler().getFilters()) {
            if (holder.getFilter() instanceof GuiceFilter filter) {
                field(GuiceFilter.class, "injectedPipeline").set(filter, own);
            }
        }
    }

    /** Pages are found by name in the package of a class that MiniYARNCluster has a subclass of, in another package. */
    private static void lookInItsOwnPackage(WebApp cluster) throws ReflectiveOperationException {
        Method setHostClass = WebApp.class.getDeclaredMethod("setHostClass", Class.class);
        setHostClass.setAccessible(true);
        setHostClass.invoke(cluster, ResourceManager.class);
    }

    private static Object get(Class<?> type, String name, Object of) throws ReflectiveOperationException {
        Object value = field(type, name).get(of);
        if (value == null) {
            throw new NoSuchFieldException(type.getName() + "." + name + " is not set");
        }
        return value;
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
