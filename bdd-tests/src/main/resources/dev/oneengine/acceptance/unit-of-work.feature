@units-of-work
Feature: A unit of work happens as a whole or not at all

  Background:
    Given an in-memory database "shop"
    And "shop" has a table of items
    And units of work on "shop"

  Rule: All of it is committed, or nothing

    Scenario: What comes to its end is committed
      When a unit of work adds "apple" and "pear"
      Then the caller gets no failure
      And the items are "apple, pear"

    Scenario: A failure takes back what was done before it
      When a unit of work adds "apple" and then fails
      Then the caller gets the failure of the part
      And there are no items

    Scenario: A statement that the database refuses takes the rest with it
      Given "shop" has the item "pear"
      When a unit of work adds "apple", and then "pear" which is there already
      Then the caller gets a failure
      And the items are "pear"

  @begin-by-hand
  Rule: Whoever begins a transaction by hand has to commit it

    Scenario: It is committed
      When a transaction begun by hand adds "apple" and is committed
      Then the items are "apple"

    Scenario: It is left open, and rolled back when it is closed
      When a transaction begun by hand adds "apple" and is closed without a commit
      Then there are no items

  @joining
  Rule: A unit within a unit is a part of it

    Scenario: Both are committed together
      When a unit of work adds "apple", and a unit within it adds "pear"
      Then the caller gets no failure
      And the items are "apple, pear"

    Scenario: The part is rolled back with the whole
      When a unit of work fails after a unit within it has added "pear"
      Then the caller gets the failure of the part
      And there are no items

    Scenario: The whole is rolled back with the part, even if somebody swallows the failure
      When a unit of work adds "apple" and swallows the failure of a unit within it
      Then the caller gets a failure
      And there are no items

  @savepoints
  Rule: A nested part may fail while the rest goes on

    Scenario: Both are committed together with the nested part
      When a unit of work adds "apple", and a nested part adds "pear"
      Then the items are "apple, pear"

    Scenario: Only the nested part is rolled back
      When a unit of work adds "apple", and goes on after the failure of a nested part that has added "pear"
      Then the caller gets no failure
      And the items are "apple"

    Scenario: The nested part is rolled back with the whole
      When a unit of work fails after a nested part has added "pear"
      Then the caller gets the failure of the part
      And there are no items

  @read-only
  Rule: A unit that only reads changes nothing

    Scenario: It reads
      Given "shop" has the item "apple"
      When a unit of work that only reads looks at the items
      Then it has seen "apple"

    Scenario: It cannot write
      When a unit of work that only reads tries to add "apple"
      Then the caller gets a failure
      And there are no items

  @hooks
  Rule: Hooks run when it is known what has become of the unit

    Scenario: After a commit
      When a unit of work with hooks adds "apple"
      Then only the hook "after the commit" has run, and has seen the items "apple"

    Scenario: After a roll-back
      When a unit of work with hooks adds "apple" and then fails
      Then the caller gets the failure of the part
      And only the hook "after the roll-back" has run, and has seen the items ""

    @savepoints
    Scenario: After the roll-back of a nested part
      When a unit of work adds "apple", and goes on after the failure of a nested part with hooks
      Then the caller gets no failure
      And only the hook "after the roll-back" has run, and has seen the items "apple"

  @repositories
  Rule: All repositories of a unit take part in it

    Scenario: What a repository does is committed with the unit
      When a unit of work adds "apple" and "pear" through its repository
      Then the items are "apple, pear"

    Scenario: What a repository does is rolled back with the unit
      When a unit of work adds "apple" and "pear" through its repository and then fails
      Then the caller gets the failure of the part
      And there are no items

  @guarded-transactions
  Rule: A transaction is ended by its unit alone, in its own thread

    Scenario Outline: A participant tries to <end> on the connection of the unit
      When a unit of work adds "apple", and a participant tries to <end>
      Then that is refused
      And the items are "apple"

      Examples:
        | end           |
        | commit        |
        | close         |
        | setAutoCommit |

    Scenario: A participant that tries a rollback dooms the unit
      When a unit of work adds "apple", and a participant tries to rollback
      Then that is refused
      And there are no items

    Scenario: Another thread tries to use the connection
      When a unit of work adds "apple", and another thread tries to use its connection
      Then that is refused
      And the items are "apple"

  @guarded-transactions
  Rule: A unit whose engine is closed fails

    Scenario: The engine is closed while a unit is open
      When a unit of work adds "apple", and its engine is closed
      Then the caller gets a failure

  @retry
  Rule: Only a conflict is tried again

    Scenario: A failure that would come again is not tried again
      Given "shop" has the item "pear"
      When a unit of work adds "apple", and then "pear" which is there already
      Then the caller gets a failure
      And there has been 1 run
