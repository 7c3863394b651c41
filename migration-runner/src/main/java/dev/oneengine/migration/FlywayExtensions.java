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

/**
 * The classes that Flyway instantiates by name. They must be public, so this package-private class encloses them to
 * hide them from users. Stateless and thread-safe.
 */
final class FlywayExtensions {
    /** The prefix of undo scripts, which only Flyway's paid editions can run. */
    private static final String UNDO = "U";

    private FlywayExtensions() {}

    /** Whether a file is an undo script, by its name. */
    static boolean isUndo(String file) {
        return file.matches(UNDO + "[0-9].*");
    }

    /** Makes Flyway accept and ignore undo scripts, unless its edition runs them. */
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

    /** Lowers Flyway's log by one level, because {@link Progress} logs each migration. Warnings and errors keep their level. */
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
