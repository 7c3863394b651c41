package dev.oneengine.cache;

import dev.oneengine.cache.internal.Throwables;
import dev.oneengine.cache.url.UrlSecrets;
import java.util.List;

/** Masks the secrets of a URL in messages and failures of other code. Stateless and thread-safe. */
final class SecretMask {
    /** Shorter secrets would mask parts of other words. */
    private static final int SHORTEST = 4;

    /** The number of causes that are read. Ends a chain that leads back to itself. */
    private static final int LONGEST_CHAIN = 20;

    private SecretMask() {}

    /** Masks secrets in a message of a driver or a pool. */
    static String mask(String text, List<String> secrets) {
        String masked = text;
        for (String secret : secrets) {
            if (secret.length() >= SHORTEST) {
                masked = masked.replace(secret, UrlSecrets.MASK);
            }
        }
        return masked;
    }

    /** Returns the failure itself or, if a message in its chain quotes a secret, a copy of the messages with the secret masked. */
    static Throwable mask(Throwable failure, List<String> secrets) {
        StringBuilder chain = new StringBuilder();
        Throwable next = failure;
        for (int i = 0; next != null && i < LONGEST_CHAIN; i++) {
            chain.append(i == 0 ? "" : ", caused by ").append(describe(next));
            for (Throwable suppressed : next.getSuppressed()) {
                chain.append(", beside ").append(describe(suppressed));
            }
            next = next.getCause();
        }
        String text = chain.toString();
        String masked = mask(text, secrets);
        if (masked.equals(text)) {
            return failure;
        }
        EngineException copy = new EngineException(masked, null);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }

    private static String describe(Throwable failure) {
        return failure.getClass().getName() + ": " + Throwables.message(failure);
    }
}
