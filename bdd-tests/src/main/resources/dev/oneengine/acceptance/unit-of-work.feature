@units-of-work
Feature: A unit of work happens as a whole or not at all

  Background:
    Given an in-memory database "shop"
    And "shop" has a table of items
    And units of work on "shop"

  Rule: All of it is committed, or nothing

    @UW-01
    Scenario: What comes to its end is committed
      When a unit of work adds "apple" and "pear"
      Then the caller gets no failure
      And the items are "apple, pear"

    @UW-02
    Scenario: A failure takes back what was done before it
      When a unit of work adds "apple" and then fails
      Then the caller gets the failure of the part
      And there are no items

    @UW-03
    Scenario: A statement that the database refuses takes the rest with it
      Given "shop" has the item "pear"
      When a unit of work adds "apple", and then "pear" which is there already
      Then the caller gets a failure
      And the items are "pear"

  @begin-by-hand
  Rule: Whoever begins a transaction by hand has to commit it

    @UW-04
    Scenario: It is committed
      When a transaction begun by hand adds "apple" and is committed
      Then the items are "apple"

    @UW-05
    Scenario: It is left open, and rolled back when it is closed
      When a transaction begun by hand adds "apple" and is closed without a commit
      Then there are no items

  @joining
  Rule: A unit within a unit is a part of it

    @UW-06
    Scenario: Both are committed together
      When a unit of work adds "apple", and a unit within it adds "pear"
      Then the caller gets no failure
      And the items are "apple, pear"

    @UW-07
    Scenario: The part is rolled back with the whole
      When a unit of work fails after a unit within it has added "pear"
      Then the caller gets the failure of the part
      And there are no items

    @UW-08
    Scenario: The whole is rolled back with the part, even if somebody swallows the failure
      When a unit of work adds "apple" and swallows the failure of a unit within it
      Then the caller gets a failure
      And there are no items

  @savepoints
  Rule: A nested part may fail while the rest goes on

    @UW-09
    Scenario: Both are committed together with the nested part
      When a unit of work adds "apple", and a nested part adds "pear"
      Then the items are "apple, pear"

    @UW-10
    Scenario: Only the nested part is rolled back
      When a unit of work adds "apple", and goes on after the failure of a nested part that has added "pear"
      Then the caller gets no failure
      And the items are "apple"

    @UW-11
    Scenario: The nested part is rolled back with the whole
      When a unit of work fails after a nested part has added "pear"
      Then the caller gets the failure of the part
      And there are no items

  @read-only
  Rule: A unit that only reads changes nothing

    @UW-12
    Scenario: It reads
      Given "shop" has the item "apple"
      When a unit of work that only reads looks at the items
      Then it has seen "apple"

    @UW-13
    Scenario: It cannot write
      When a unit of work that only reads tries to add "apple"
      Then the caller gets a failure
      And there are no items

  @hooks
  Rule: Hooks run when it is known what has become of the unit

    @UW-14
    Scenario: After a commit
      When a unit of work with hooks adds "apple"
      Then only the hook "after the commit" has run, and has seen the items "apple"

    @UW-15
    Scenario: After a roll-back
      When a unit of work with hooks adds "apple" and then fails
      Then the caller gets the failure of the part
      And only the hook "after the roll-back" has run, and has seen the items ""

    @UW-16 @savepoints
    Scenario: After the roll-back of a nested part
      When a unit of work adds "apple", and goes on after the failure of a nested part with hooks
      Then the caller gets no failure
      And only the hook "after the roll-back" has run, and has seen the items "apple"

  @repositories
  Rule: All repositories of a unit take part in it

    @UW-17
    Scenario: What a repository does is committed with the unit
      When a unit of work adds "apple" and "pear" through its repository
      Then the items are "apple, pear"

    @UW-18
    Scenario: What a repository does is rolled back with the unit
      When a unit of work adds "apple" and "pear" through its repository and then fails
      Then the caller gets the failure of the part
      And there are no items

  @guarded-transactions
  Rule: A transaction is ended by its unit alone, in its own thread

    @UW-19
    Scenario Outline: A participant tries to <end> on the connection of the unit
      When a unit of work adds "apple", and a participant tries to <end>
      Then that is refused
      And the items are "apple"

      Examples:
        | end           |
        | commit        |
        | close         |
        | setAutoCommit |

    @UW-20
    Scenario: A participant that tries a rollback dooms the unit
      When a unit of work adds "apple", and a participant tries to rollback
      Then that is refused
      And there are no items

    @UW-21
    Scenario: Another thread tries to use the connection
      When a unit of work adds "apple", and another thread tries to use its connection
      Then that is refused
      And the items are "apple"

  @guarded-transactions
  Rule: A unit whose engine is closed fails

    @UW-22
    Scenario: The engine is closed while a unit is open
      When a unit of work adds "apple", and its engine is closed
      Then the caller gets a failure

  @retry
  Rule: Only a conflict is tried again

    @UW-23
    Scenario: A failure that would come again is not tried again
      Given "shop" has the item "pear"
      When a unit of work adds "apple", and then "pear" which is there already
      Then the caller gets a failure
      And there has been 1 run
