// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How much the objects of Treadle hold, found by reflection, so that a map that is added tomorrow counts too: the sizes of
 * all maps and collections in fields of our classes that can be reached from one object, by class and field.
 */
final class Books {
    private final Map<String, Integer> sizes = new TreeMap<>();
    private final Set<Class<?>> leftOut;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private Books(Set<Class<?>> leftOut) {
        this.leftOut = leftOut;
    }

    /** @param leftOut objects of these classes, and what only they reach, do not count */
    static Map<String, Integer> of(Object root, Set<Class<?>> leftOut) throws IllegalAccessException {
        Books books = new Books(leftOut);
        books.visit(root, "");
        return books.sizes;
    }

    private void visit(@Nullable Object value, String where) throws IllegalAccessException {
        if (value == null
                || value instanceof Enum
                || value instanceof Class
                || value instanceof Thread
                || leftOut.contains(value.getClass())) {
            return;
        }
        if (value instanceof Optional<?> optional) {
            visit(optional.orElse(null), where);
        } else if (value instanceof AtomicReference<?> reference) {
            visit(reference.get(), where);
        } else if (value instanceof Map<?, ?> map) {
            sizes.merge(where, map.size(), Integer::sum);
            if (seen.add(map)) {
                for (Object element : map.values().toArray()) {
                    visit(element, where);
                }
            }
        } else if (value instanceof Collection<?> collection) {
            sizes.merge(where, collection.size(), Integer::sum);
            if (seen.add(collection)) {
                for (Object element : collection.toArray()) {
                    visit(element, where);
                }
            }
        } else if (value.getClass().getName().startsWith("io.treadle.") && seen.add(value)) {
            for (Class<?> type = value.getClass();
                    type != null && type.getName().startsWith("io.treadle.");
                    type = type.getSuperclass()) {
                fields(value, type);
            }
        }
    }

    private void fields(Object value, Class<?> type) throws IllegalAccessException {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    || field.getType().isPrimitive()
                    || Semaphore.class.equals(field.getType())) {
                continue;
            }
            field.setAccessible(true);
            String name = type.getName().replaceFirst("\\$\\$Lambda.*", "'s lambda");
            visit(field.get(value), name.substring(name.lastIndexOf('.') + 1) + "." + field.getName());
        }
    }
}
