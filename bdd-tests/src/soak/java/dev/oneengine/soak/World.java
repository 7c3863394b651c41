package dev.oneengine.soak;

import org.jspecify.annotations.Nullable;

/** Something that programs run in: the library, or the model that predicts it. Confined to the thread of its program. */
interface World {
    /** Returns where a program begins: outside of all transactions. */
    Scope outside();

    /** Describes what is in the database, and what is wrong with everything else. */
    String state();

    /** Says what a failure is, in the same words in each world. */
    String describe(Throwable failure);

    /** A place within a program: the transactions that are open around it. */
    interface Scope {
        boolean isConnected();

        boolean isUnit();

        /** Runs a step that has others in it. */
        void block(Step step, Body body) throws Throwable;

        /**
         * Runs a step that has no others in it.
         *
         * @return what it found out, if anything
         */
        @Nullable String leaf(Step step) throws Throwable;
    }

    /** The steps within a block. */
    interface Body {
        void run(Scope scope) throws Throwable;
    }
}
