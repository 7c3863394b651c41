package dev.oneengine.migration;

import java.util.List;

/** The scripts do not match the migrations in the database, so no script can be applied. Immutable and thread-safe. */
public final class MigrationHistoryException extends MigrationException {
    private static final long serialVersionUID = 1L;

    /** Sentences. */
    private final String[] problems;

    MigrationHistoryException(String message, List<String> problems) {
        super(message, null);
        this.problems = problems.toArray(String[]::new);
    }

    /**
     * Returns the differences between the scripts and the database.
     *
     * @return a sentence for each problem, with its remedy
     */
    public List<String> problems() {
        return List.of(problems);
    }

    @Override
    MigrationException copy(String message) {
        return new MigrationHistoryException(message, problems());
    }
}
