package dev.oneengine.acceptance.driver;

import dev.oneengine.acceptance.Creation;
import dev.oneengine.acceptance.RemoteThread;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A running driver: one process with one cache. Thread-safe. */
final class DriverProcess {
    private static final int PROTOCOL = 1;
    /** One look serves all threads that ask at the same time. */
    private static final Duration SAME_LOOK = Duration.ofMillis(2);

    private final String command;
    private final DriverLimits limits;
    private final Process process;
    private final BufferedWriter input;
    private final Creation creation;
    private final CompletableFuture<Message> hello = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<Message>> answers = new ConcurrentHashMap<>();
    private final PendingCalls calls = new PendingCalls();
    private final AtomicInteger numbers = new AtomicInteger();
    private final ErrorOutput errors;
    private final Object looking = new Object();
    private @Nullable Message lastLook; // guarded by looking, like the next field
    private long lookedAt;
    private final AtomicReference<@Nullable String> broken = new AtomicReference<>();
    private volatile boolean ending;

    private DriverProcess(Process process, String command, DriverLimits limits, Creation creation) {
        this.limits = limits;
        this.process = process;
        this.command = command;
        this.creation = creation;
        input = process.outputWriter(StandardCharsets.UTF_8);
        errors = new ErrorOutput(process);
    }

    /** Starts a driver and waits for its first message. */
    static DriverProcess start(List<String> command, Path directory, DriverLimits limits, Creation creation) {
        String line = String.join(" ", command);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toAbsolutePath().toFile())
                    .start();
            DriverProcess driver = new DriverProcess(process, line, limits, creation);
            DaemonThread.start("messages of a driver", driver::readMessages);
            Message hello = driver.await(driver.hello, limits.hello(), () -> "hello");
            if (hello.number("protocol") != PROTOCOL) {
                driver.fail("speaks protocol " + hello.text("protocol") + " instead of " + PROTOCOL);
                throw driver.error();
            }
            return driver;
        } catch (IOException e) {
            throw new AssertionError(
                    "Cannot start the driver " + line + " in " + directory.toAbsolutePath() + ": " + e, e);
        }
    }

    long pid() {
        return process.pid();
    }

    List<String> abilities() {
        return hello.join().texts("abilities");
    }

    /** Runs an operation on the driver's thread that stands for the current thread. */
    Message call(String operation, Object... operands) throws CallFailedException {
        Map<String, Object> message = message("call");
        Thread caller = Thread.currentThread();
        String driverThread = calls.nameOf(caller);
        message.put("thread", driverThread);
        message.put("do", operation);
        for (int i = 0; i < operands.length; i += 2) {
            message.put(operands[i].toString(), operands[i + 1]);
        }
        calls.begin(caller, driverThread, message);
        try {
            Message answer = await(ask(message), limits.answer(), () -> "an answer to " + Json.write(message));
            if (answer.type().equals("failure")) {
                throw new CallFailedException(answer.text("message"));
            }
            return answer;
        } finally {
            calls.end(caller);
        }
    }

    private Map<String, Object> message(String type) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("type", type);
        message.put("id", (long) numbers.incrementAndGet());
        return message;
    }

    private CompletableFuture<Message> ask(Map<String, Object> message) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        answers.put((Long) message.get("id"), answer);
        send(message);
        if (broken.get() != null) {
            throw error();
        }
        return answer;
    }

    private void send(Map<String, Object> message) {
        synchronized (input) {
            try {
                input.write(Json.write(message));
                input.write('\n');
                input.flush();
            } catch (IOException e) {
                fail("does not read its standard input: " + e.getMessage());
            }
        }
    }

    private Message await(CompletableFuture<Message> answer, Duration limit, Supplier<String> what) {
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            fail("did not send " + what.get() + " within " + limit.toSeconds() + " seconds");
            throw error();
        } catch (ExecutionException e) {
            throw error();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for the driver", e);
        }
    }

    /**
     * Returns the state of the driver's thread that runs the call of a thread. Empty if there is none, or if a creation holds it.
     */
    Optional<RemoteThread> find(Thread thread) {
        return calls.driverThread(thread).filter(any -> broken.get() == null).map(name -> {
            Object place = look().map("threads").get(name);
            return new RemoteThread(place != null, String.valueOf(place));
        });
    }

    private Message look() {
        synchronized (looking) {
            if (lastLook == null || System.nanoTime() - lookedAt > SAME_LOOK.toNanos()) {
                lastLook = await(ask(message("look")), limits.look(), () -> "where its threads wait");
                lookedAt = System.nanoTime();
            }
            return lastLook;
        }
    }

    private void readMessages() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line;
            while ((line = DriverLines.read(output)) != null) {
                receive(line);
            }
            if (!ending) {
                String status = process.waitFor(limits.failedExit().toSeconds(), TimeUnit.SECONDS)
                        ? "exited with status " + process.exitValue()
                        : "closed its standard output";
                fail(status + " before the end of the scenario");
            }
        } catch (IOException e) {
            fail("cannot be read: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void receive(String line) {
        try {
            Message message = Message.read(line);
            switch (message.type()) {
                case "hello" -> hello.complete(message);
                case "creating" -> DaemonThread.start("creation of a driver", () -> create(message));
                case "result", "failure", "waiting" -> {
                    CompletableFuture<Message> answer = answers.remove(message.number("id"));
                    if (answer == null) {
                        fail("answered a call that does not exist or is already answered: "
                                + DriverLines.shortened(line));
                    } else {
                        answer.complete(message);
                    }
                }
                default -> fail("sent a message of unknown type: " + DriverLines.shortened(line));
            }
        } catch (Json.MalformedException e) {
            fail("wrote a line that is not a message, " + e.getMessage() + ": " + DriverLines.shortened(line));
        }
    }

    /** Holds the creation until the scenario releases it. */
    private void create(Message creating) {
        Map<String, Object> answer = new LinkedHashMap<>();
        Optional<Thread> caller = calls.caller(creating.text("thread"));
        try {
            if (caller.isPresent()) {
                creation.begins(creating.text("url"), caller.get());
            } else {
                creation.begins(creating.text("url"));
            }
            answer.put("type", "go");
        } catch (Exception e) {
            answer.put("type", "fail");
            answer.put("message", String.valueOf(e.getMessage()));
        } catch (AssertionError e) {
            answer.put("type", "fail");
            answer.put("message", "The acceptance kit could not order this creation: " + e.getMessage());
        }
        answer.put("creation", creating.number("creation"));
        send(answer);
    }

    /** Returns the last lines of standard error, and the calls without an answer. */
    String diagnostics() {
        List<String> lines = new ArrayList<>();
        calls.messages().forEach(call -> lines.add("call without an answer: " + call));
        List<String> last = errors.lastLines();
        if (!last.isEmpty()) {
            lines.add("standard error of " + command + ":");
            last.forEach(line -> lines.add("    " + line));
        }
        return String.join("\n", lines);
    }

    /** Gives up on the driver: all waiting calls and all later calls fail. */
    private void fail(String reason) {
        String message = "The driver " + command + " " + reason + ".";
        if (ending || !broken.compareAndSet(null, message)) {
            return;
        }
        kill();
        AssertionError error = new AssertionError(message);
        hello.completeExceptionally(error);
        answers.values().forEach(answer -> answer.completeExceptionally(error));
    }

    /** Unlike {@link Process#destroyForcibly()}, leaves the pipe open, because it may hold error output that is not yet read. */
    private void kill() {
        process.toHandle().destroyForcibly();
    }

    private AssertionError error() {
        errors.awaitEnd();
        process.destroyForcibly(); // closes the pipes, which a child of the driver may hold open
        return new AssertionError(broken.get() + "\n" + diagnostics());
    }

    /** Ends the driver. A driver that failed before, or does not end by itself, is a failure. */
    void end() {
        if (broken.get() != null) {
            throw error();
        }
        boolean busy = !calls.isEmpty();
        ending = true;
        Map<String, Object> bye = new LinkedHashMap<>();
        bye.put("type", "bye");
        send(bye);
        try {
            input.close();
            Duration limit = busy ? limits.failedExit() : limits.exit();
            boolean exited = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            if (!busy && (!exited || process.exitValue() != 0)) {
                broken.set("The driver " + command + " did not exit with status 0 within " + limit.toSeconds()
                        + " seconds after bye.");
            }
        } catch (IOException e) {
            broken.set("The driver " + command + " could not be ended: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (broken.get() != null) {
            kill();
            throw error();
        }
        process.destroyForcibly();
    }
}
