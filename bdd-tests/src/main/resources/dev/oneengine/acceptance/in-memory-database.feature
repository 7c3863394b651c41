@suite-1.0
Feature: An in-memory database is one database
  SQLite gives each connection to ":memory:" a separate database, and deletes it when the connection closes. A lock in the
  cache prevents neither.

  Background:
    Given an in-memory database "plans"

  Rule: All connections of an engine see the same database

    @ME-01
    Scenario: A table created on one connection exists on the other connections
      When a table is created on one of 4 open connections to "plans"
      Then all 4 connections find the table

  @housekeeping
  Rule: A database lives as long as its engine

    @ME-02
    Scenario: The database survives when the pool closes all of its connections
      Given "plans" has a table of items
      And "plans" has the item "apple"
      When all connections to "plans" are closed and opened again
      Then "plans" has 1 item

  Rule: Each URL has its own database in each cache

    @ME-03
    Scenario: The same URL in a second cache is another database
      When a second cache creates the table of items through the URL of "plans"
      Then "plans" has no table of items

    @ME-06
    Scenario: Two URLs are two databases
      Given an in-memory database "orders"
      When the table of items is created in "orders"
      Then "plans" has no table of items

  Rule: Writers wait for each other and do not fail

    @ME-04
    Scenario: Two threads that read and then write at the same moment both succeed
      Given "plans" has a table of items
      When 2 threads read "plans" at the same moment and then write to it, 5 times
      Then no writer fails
      And "plans" has 10 items

    @ME-05 @stress
    Scenario: Four threads that read and write without a pause all succeed
      Given "plans" has a table of items
      When 4 threads read and write "plans" without a pause, 50 times
      Then no writer fails
      And "plans" has 200 items
