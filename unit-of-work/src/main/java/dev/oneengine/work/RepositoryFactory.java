package dev.oneengine.work;

import java.sql.Connection;

/**
 * Creates a repository for one transaction. Usually a constructor, such as {@code Orders::new}.
 *
 * @param <T> the type of the repository
 * @param <X> the checked exception of the factory
 */
@FunctionalInterface
public interface RepositoryFactory<T, X extends Exception> {
    /**
     * Creates a repository.
     *
     * @param connection the connection of the transaction
     * @return a new repository
     * @throws X if the repository cannot be created
     */
    T create(Connection connection) throws X;
}
