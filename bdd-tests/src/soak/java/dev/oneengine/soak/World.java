package dev.oneengine.soak;

import org.jspecify.annotations.Nullable;

/** Something that programs run in: the library, or the model that predicts it. Confined to the thread of its program. */
interface World {
    /** Returns where a program begins: outside of all transactions. */
    Scope outside();

    /** Describes the rows in the database and all problems of the engine. */
    String state();

    /** Describes a failure in words that are the same in each world. */
    String describe(Throwable failure);

    /** A place within a program: the transactions that are open around it. */
    interface Scope {
        boolean isConnected();

        boolean isUnit();

        /** Runs a step that contains other steps. */
        void block(Step step, Body body) throws Throwable;

        /**
         * Runs a step that contains no other steps.
         *
         * @return the result of the step; {@code null} if it has none
         */
        @Nullable String leaf(Step step) throws Throwable;
    }

    /** The steps within a block. */
    interface Body {
        void run(Scope scope) throws Throwable;
    }
}
