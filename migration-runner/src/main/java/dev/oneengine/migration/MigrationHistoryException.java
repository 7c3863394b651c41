package dev.oneengine.migration;

import java.util.List;

/** What is applied to a database does not fit the scripts, so that nothing can be applied on top of it. */
public final class MigrationHistoryException extends MigrationException {
    private static final long serialVersionUID = 1L;

    /** Sentences. */
    private final String[] problems;

    MigrationHistoryException(String message, List<String> problems) {
        super(message, null);
        this.problems = problems.toArray(String[]::new);
    }

    /**
     * What does not fit.
     *
     * @return a sentence for each problem, with what to do about it
     */
    public List<String> problems() {
        return List.of(problems);
    }

    @Override
    MigrationException copy(String message) {
        return new MigrationHistoryException(message, problems());
    }
}
