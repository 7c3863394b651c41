@suite-1.0 @units-of-work
Feature: A unit of work is committed as a whole or not at all

  Background:
    Given an in-memory database "shop"
    And "shop" has a table of items
    And units of work on "shop"

  Rule: Success commits everything, and a failure rolls everything back

    @UW-01
    Scenario: A unit that completes is committed
      When a unit of work adds "apple" and "pear"
      Then the call succeeds
      And the items are "apple, pear"

    @UW-02
    Scenario: A failure rolls back everything the unit has done
      When a unit of work adds "apple" and then fails
      Then the caller gets the failure of the unit
      And there are no items

    @UW-03
    Scenario: A statement rejected by the database rolls back the whole unit
      Given "shop" has the item "pear"
      When a unit of work adds "apple" and then a second "pear"
      Then the call fails
      And the items are "pear"

  @begin-by-hand
  Rule: Only its caller commits a transaction begun by hand

    @UW-04
    Scenario: A transaction begun by hand is committed on request
      When a transaction begun by hand adds "apple" and is committed
      Then the items are "apple"

    @UW-05
    Scenario: A transaction begun by hand and closed without a commit is rolled back
      When a transaction begun by hand adds "apple" and is closed without a commit
      Then there are no items

  @joining
  Rule: A unit within a unit joins the outer unit

    @UW-06
    Scenario: A joined unit is committed with the outer unit
      When a unit of work adds "apple" and a joined unit adds "pear"
      Then the call succeeds
      And the items are "apple, pear"

    @UW-07
    Scenario: A joined unit is rolled back with the outer unit
      When a unit of work fails after a joined unit has added "pear"
      Then the caller gets the failure of the unit
      And there are no items

    @UW-08
    Scenario: A swallowed failure of a joined unit rolls back the outer unit
      When a unit of work adds "apple" and swallows the failure of a joined unit
      Then the call fails
      And there are no items

  @savepoints
  Rule: A failed nested transaction does not fail its unit

    @UW-09
    Scenario: A nested transaction is committed with its unit
      When a unit of work adds "apple" and a nested transaction adds "pear"
      Then the items are "apple, pear"

    @UW-10
    Scenario: A failed nested transaction is rolled back alone
      When a unit of work adds "apple" and survives the failure of a nested transaction that adds "pear"
      Then the call succeeds
      And the items are "apple"

    @UW-11
    Scenario: A nested transaction is rolled back with its unit
      When a unit of work fails after a nested transaction has added "pear"
      Then the caller gets the failure of the unit
      And there are no items

  @read-only
  Rule: A read-only unit changes nothing

    @UW-12
    Scenario: A read-only unit sees committed data
      Given "shop" has the item "apple"
      When a read-only unit reads the items
      Then the read-only unit has seen the items "apple"

    @UW-13
    Scenario: A read-only unit cannot write
      When a read-only unit tries to add "apple"
      Then the call fails
      And there are no items

  @hooks
  Rule: Hooks run once the outcome of the unit is certain

    @UW-14
    Scenario: Only the commit hook runs after a commit
      When a unit of work with hooks adds "apple"
      Then only the hook "after commit" has run
      And the hook has seen the items "apple"

    @UW-15
    Scenario: Only the rollback hook runs after a rollback
      When a unit of work with hooks adds "apple" and then fails
      Then only the hook "after rollback" has run
      And the hook has seen no items

    @UW-16 @savepoints
    Scenario: Only the rollback hook of a failed nested transaction runs after the commit of its unit
      When a unit of work adds "apple" and survives the failure of a nested transaction with hooks
      Then only the hook "after rollback" has run
      And the hook has seen the items "apple"

  @repositories
  Rule: The repositories of a unit work in its transaction

    @UW-17
    Scenario: The work of a repository is committed with the unit
      When a unit of work adds "apple" and "pear" through its repository
      Then the items are "apple, pear"

    @UW-18
    Scenario: The work of a repository is rolled back with the unit
      When a unit of work adds "apple" and "pear" through its repository and then fails
      Then the caller gets the failure of the unit
      And there are no items

  @guarded-transactions
  Rule: Only the unit can end its transaction, and only in its own thread

    @UW-19
    Scenario Outline: A participant cannot call <end> on the connection of its unit
      When a unit of work adds "apple" and a participant calls <end> on the connection
      Then the connection rejects the attempt
      And the items are "apple"

      Examples:
        | end           |
        | commit        |
        | close         |
        | setAutoCommit |

    @UW-20
    Scenario: A participant that calls rollback dooms the unit
      When a unit of work adds "apple" and a participant calls rollback on the connection
      Then the connection rejects the attempt
      And there are no items

    @UW-21
    Scenario: Another thread cannot use the connection of a unit
      When a unit of work adds "apple" and another thread tries to use the connection
      Then the connection rejects the attempt
      And the items are "apple"

    @UW-22
    Scenario: A unit fails once its engine is closed
      When a unit of work adds "apple" and its engine is closed
      Then the call fails

  @retry
  Rule: Only conflicts are retried

    @UW-23
    Scenario: A failure that is no conflict is not retried
      Given "shop" has the item "pear"
      When a unit of work adds "apple" and then a second "pear"
      Then the call fails
      And there has been 1 run
