package dev.oneengine.work;

import java.sql.Connection;

/**
 * Makes a repository for one transaction; mostly the constructor, {@code Orders::new}.
 *
 * @param <T> the repository
 * @param <X> what it throws beside unchecked exceptions
 */
@FunctionalInterface
public interface RepositoryFactory<T, X extends Exception> {
    /**
     * Makes a repository.
     *
     * @param connection the connection of the transaction
     * @return a new repository
     * @throws X if that fails
     */
    T create(Connection connection) throws X;
}
