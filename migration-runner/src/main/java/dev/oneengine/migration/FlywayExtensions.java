package dev.oneengine.migration;

import java.util.List;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.flywaydb.core.extensibility.ResourceType;
import org.flywaydb.core.extensibility.ResourceTypeProvider;
import org.flywaydb.core.internal.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Flyway creates by name. That requires public classes, nested here so that nobody else sees them. Stateless. */
final class FlywayExtensions {
    /** The prefix of scripts that undo others. Only Flyway's paid editions can run them. */
    private static final String UNDO = "U";

    private FlywayExtensions() {}

    /** Whether a file is a script that undoes another one. */
    static boolean isUndo(String file) {
        return file.matches(UNDO + "[0-9].*");
    }

    /** Lets Flyway accept the names of undo scripts, which it then leaves alone, unless an edition that runs them does so. */
    public static final class UndoScripts implements ResourceTypeProvider {
        @Override
        public List<Pair<String, ResourceType>> getPrefixTypePairs(Configuration configuration) {
            boolean known = configuration.getPluginRegister().getInstancesOf(ResourceTypeProvider.class).stream()
                    .filter(other -> !(other instanceof UndoScripts))
                    .flatMap(other -> other.getPrefixTypePairs(configuration).stream())
                    .anyMatch(pair -> pair.getLeft().equals(UNDO));
            return known ? List.of() : List.of(Pair.of(UNDO, new Undo()));
        }
    }

    private static final class Undo implements ResourceType {
        @Override
        public boolean isVersioned() {
            return true;
        }

        @Override
        public String getDisplayName() {
            return "undo";
        }
    }

    /** Flyway's log, one level lower, as {@link Progress} logs each migration. Warnings and errors stay what they are. */
    public static final class LowerLog implements LogCreator {
        @Override
        public Log createLogger(Class<?> type) {
            return new Lower(LoggerFactory.getLogger(type));
        }
    }

    private record Lower(Logger log) implements Log {
        @Override
        public void debug(String message) {
            log.trace(message);
        }

        @Override
        public void info(String message) {
            log.debug(message);
        }

        @Override
        public void notice(String message) {
            log.debug(message);
        }

        @Override
        public void warn(String message) {
            log.warn(message);
        }

        @Override
        public void error(String message) {
            log.error(message);
        }

        @Override
        public void error(String message, Exception failure) {
            log.error(message, failure);
        }
    }
}
