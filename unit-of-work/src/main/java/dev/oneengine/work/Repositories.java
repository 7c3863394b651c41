package dev.oneengine.work;

import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The repositories of a unit of work, one of each type. Confined to the unit's thread. */
final class Repositories {
    private final Map<Class<?>, Object> repositories = new HashMap<>();

    <T, X extends Exception> T get(Class<T> type, RepositoryFactory<? extends T, X> factory, Connection connection)
            throws X {
        Object repository = repositories.get(type);
        if (repository == null) {
            // Not by computeIfAbsent: a factory may request other repositories.
            repository = Objects.requireNonNull(factory.create(connection), "The factory made no " + type);
            repositories.put(type, repository);
        }
        return type.cast(repository);
    }
}
