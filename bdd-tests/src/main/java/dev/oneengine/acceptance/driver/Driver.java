package dev.oneengine.acceptance.driver;

import dev.oneengine.acceptance.Ability;
import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.Creation;
import dev.oneengine.acceptance.Implementation;
import dev.oneengine.acceptance.RemoteThread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An implementation outside this JVM: a program that speaks the driver protocol. Each cache is a separate process.
 *
 * <p>Thread-safe.
 */
public final class Driver implements Implementation {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private final List<String> command;
    private final Path directory;
    private final Set<DriverProcess> running = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    private @Nullable Set<Ability> abilities; // guarded by the lock

    /**
     * Uses a program.
     *
     * @param command the program and its arguments, as on a command line; quotes keep words together
     * @param directory the directory that the program starts in
     */
    public Driver(String command, Path directory) {
        this.command = words(command);
        this.directory = directory;
        if (this.command.isEmpty()) {
            throw new IllegalArgumentException("The command of the driver is empty");
        }
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(Stream.of(word.group(1), word.group(2), word.group(3))
                    .filter(group -> group != null)
                    .findFirst()
                    .orElseThrow());
        }
        return words;
    }

    @Override
    public CacheUnderTest cache(Creation creation) {
        DriverProcess process = DriverProcess.start(command, directory, DriverLimits.COMMON, creation);
        running.add(process);
        return new DriverCache(process, abilities(process), () -> running.remove(process));
    }

    /** Asks the program at the first call. */
    @Override
    public Set<Ability> abilities() {
        synchronized (lock) {
            if (abilities == null) {
                DriverProcess process = DriverProcess.start(command, directory, DriverLimits.COMMON, url -> {});
                abilities = abilities(process);
                process.end();
            }
            return abilities;
        }
    }

    private static Set<Ability> abilities(DriverProcess process) {
        Set<Ability> abilities = EnumSet.noneOf(Ability.class);
        for (String name : process.abilities()) {
            abilities.add(Stream.of(Ability.values())
                    .filter(ability -> ability.tag().equals("@" + name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("The driver offers " + name
                            + ", which is no ability; there are "
                            + Stream.of(Ability.values())
                                    .map(ability -> ability.tag().substring(1))
                                    .toList())));
        }
        return abilities;
    }

    @Override
    public Optional<RemoteThread> remoteThread(Thread thread) {
        return running.stream()
                .flatMap(process -> process.find(thread).stream())
                .findFirst();
    }

    @Override
    public String toString() {
        return String.join(" ", command);
    }
}
