@suite-1.0 @migrations
Feature: A database is migrated once

  Background:
    Given an in-memory database "plans"

  Rule: Each script runs once under any race

    @MI-01 @issue-3950
    Scenario: Migration runners that race for one URL migrate one engine once
      When 4 migration runners migrate "plans" at the same moment
      Then all threads have the same engine
      And 1 engine has been created for "plans"
      And each script has run once on "plans"

    @MI-02 @issue-7420 @units-of-work
    Scenario: Units of work that need the same migrations run each script once
      When 2 units of work that need the migrations open "plans" at the same moment
      Then no thread fails
      And each script has run once on "plans"

    @MI-03
    Scenario: A later migration runner finds nothing to do
      Given "plans" is migrated
      When a migration runner migrates "plans"
      Then the migration succeeds
      And each script has run once on "plans"

  Rule: Inspection changes nothing

    @MI-04
    Scenario: The pending scripts are listed without a change to the database
      When a caller asks for the pending scripts of "plans"
      Then both scripts are listed
      And "plans" has no tables

    @MI-05
    Scenario: A migrated database has no pending scripts
      Given "plans" is migrated
      When a caller asks for the pending scripts of "plans"
      Then no script is listed

    @MI-06
    Scenario: The status lists all scripts without a change to the database
      When a caller asks for the status of "plans"
      Then both scripts are listed
      And "plans" has no tables

  Rule: A script that fails leaves the database unchanged

    @MI-07
    Scenario: The failure of a script names the script
      Given the first script fails after it has created its table
      When a migration runner migrates "plans"
      Then the failure names the first script

    @MI-09
    Scenario: A failed script leaves no table behind
      Given the first script fails after it has created its table
      When a migration runner migrates "plans"
      Then "plans" has no table of items

    @MI-10
    Scenario: A database can be migrated once the failed script is fixed
      Given the first script fails after it has created its table
      And a migration runner has failed to migrate "plans"
      When the first script is fixed
      And a migration runner migrates "plans"
      Then the migration succeeds
      And each script has run once on "plans"

  @forks
  Rule: Forks of a migrated database are independent databases

    @MI-08
    Scenario: An item added to one fork is in no other fork
      Given "plans" is migrated
      When two forks of "plans" are made
      And the item "more" is added to the first fork
      Then the first fork has the items "migrated, more"
      And the second fork has the items "migrated"

    @MI-11
    Scenario: An item added to a fork is not in the original
      Given "plans" is migrated
      When two forks of "plans" are made
      And the item "more" is added to the first fork
      Then each script has run once on "plans"
