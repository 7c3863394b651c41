@migrations
Feature: A database is migrated once, whoever comes first

  Background:
    Given an in-memory database "plans"

  Rule: However many want it, each script runs once

    @MI-01 @issue-3950
    Scenario: Migration runners race
      When 4 migration runners migrate "plans" at the same moment
      Then all of them succeed, and each script has run once on "plans"

    @MI-02 @issue-7420 @units-of-work
    Scenario: Units of work that need the same migrations race
      When 2 units of work that need the migrations are opened on "plans" at the same moment
      Then all of them succeed, and each script has run once on "plans"

    @MI-03
    Scenario: Whoever comes later finds nothing to do
      Given "plans" is migrated
      When a migration runner migrates "plans"
      Then each script has run once on "plans"

  Rule: Who only looks changes nothing

    @MI-04
    Scenario: Scripts are pending
      When somebody asks which scripts are pending for "plans"
      Then both scripts are told
      And "plans" has no tables

    @MI-05
    Scenario: No script is pending any more
      Given "plans" is migrated
      When somebody asks which scripts are pending for "plans"
      Then no script is told

    @MI-06
    Scenario: The status of a database that was never migrated
      When somebody asks for the status of "plans"
      Then both scripts are told
      And "plans" has no tables

  Rule: A script that fails leaves the database as it was

    @MI-07
    Scenario: The script is mended and tried again
      Given the first script fails after it has made its table
      When a migration runner migrates "plans"
      Then the failure names the first script
      And "plans" has no table of items
      And once the script is mended, "plans" can be migrated

  @forks
  Rule: Forks of a migrated database are databases of their own

    @MI-08
    Scenario: What is added to one fork is not in the other, nor in what they were made of
      Given "plans" is migrated
      When the first of two forks of "plans" gets an item more
      Then the first fork has the items "migrated, more", and the second "migrated"
      And each script has run once on "plans"
