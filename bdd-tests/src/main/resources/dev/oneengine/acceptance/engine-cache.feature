@issue-7566
Feature: One engine per database, however many threads race for it
  An engine is the way to a database. To a database in memory it is the only way: a second engine for the same URL is a
  second database, empty, and whoever holds it works on data that nobody else will ever see.

  Background:
    Given an in-memory database "plans"

  Rule: An engine is created once, and everybody gets it

    @EC-01
    Scenario: Two threads that race for one URL create one engine
      When 2 threads ask for the engine of "plans" at the same moment
      Then 1 engine has been created for "plans"

    @EC-02
    Scenario: Two threads that race for one URL get the same engine
      When 2 threads ask for the engine of "plans" at the same moment
      Then all of them have the same engine

    @EC-03
    Scenario: A table that one of two racing threads makes is there for the other
      When 2 threads ask for the engine of "plans" at the same moment
      Then a table that the first of them makes is there for the others

    @EC-04
    Scenario: The database of the bug report, which has no name, has one engine as well
      Given the in-memory database without a name, called "memory" here
      When 8 threads ask for the engine of "memory" at the same moment
      Then 1 engine has been created for "memory"
      And all of them have the same engine

    @EC-05
    Scenario: Whoever comes later gets the cached engine, and nothing is created
      Given the engine of "plans" is cached
      When 8 threads ask for the engine of "plans" at the same moment
      Then all of them have the cached engine
      And 1 engine has been created for "plans"

  @units-of-work
  Rule: Whoever needs an engine takes it from the same place

    @EC-06
    Scenario: Units of work that are opened at once share one cached engine
      When 16 units of work are opened on "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all of them have the same engine

    @EC-07 @issue-3950 @migrations
    Scenario: A unit of work and a migration runner that race for one URL share one engine
      When a unit of work and a migration runner open "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all of them have the same engine

  Rule: While an engine is created, whoever wants the same one waits, and nobody else

    @EC-08
    Scenario: A second thread waits until the first has put the engine into the cache
      Given thread A is busy creating the engine of "plans"
      When thread B asks for the engine of "plans"
      Then thread B waits
      And once thread A is done with "plans", thread B has the same engine

    @EC-09
    Scenario: Different URLs do not wait for each other
      Given thread A is busy creating the engine of "plans"
      And an in-memory database "orders"
      When thread B asks for the engine of "orders"
      Then thread B has an engine although thread A is still busy

  Rule: The lock belongs to the cache alone

    @EC-10
    Scenario: Nobody outside can keep the cache from creating an engine
      Given somebody outside holds the locks of the cache, of its class and of the URL of "plans"
      When thread A asks for the engine of "plans"
      Then thread A has an engine although the locks are held

    @EC-11
    Scenario: Nobody outside can keep the cache from handing out an engine that is there
      Given somebody outside holds the locks of the cache, of its class, of the URL and of the engine of "plans"
      When thread A asks for the engine of "plans"
      Then thread A has an engine although the locks are held

  Rule: A creation that fails leaves nothing behind

    @EC-12
    Scenario: The next one who asks tries again
      Given the first attempt to create the engine of "plans" fails
      When thread A asks for the engine of "plans"
      Then thread A gets that failure
      And the next one who asks for the engine of "plans" gets one that works

    @EC-13 @shared-failures
    Scenario: Everybody who waited for a creation gets its failure
      Given the first attempt to create the engine of "plans" fails
      When 8 threads ask for the engine of "plans" at the same moment
      Then all of them get that failure

  @eviction
  Rule: An engine that is handed out is open

    @EC-14
    Scenario: After an eviction there is another engine
      Given the engine of "plans" is cached
      When thread A evicts the engine of "plans"
      Then the next one who asks for the engine of "plans" gets another one that works
      And 2 engines have been created for "plans"

    @EC-15
    Scenario: Who asked for an engine gets one, even if it is evicted as soon as it is there
      Given thread A is busy creating the engine of "plans"
      When thread B evicts the engine of "plans"
      Then once it is created, thread A has an engine of "plans"
      And the next one who asks for the engine of "plans" gets one that works

    @EC-16 @stress
    Scenario: Nobody gets an engine that was closed before
      When 3 threads keep asking for the engine of "plans" while another one evicts it 30 times
      Then nobody got an engine that was closed already

  @closing
  Rule: A cache that is closed leaves nothing open

    @EC-17
    Scenario: Its engines are closed with it
      Given the engine of "plans" is cached
      When thread A closes the cache
      Then the cached engine is closed

    @EC-18
    Scenario: It hands out no more engines
      Given the engine of "plans" is cached
      And an in-memory database "orders"
      When thread A closes the cache
      Then whoever asks for the engine of "plans" gets a failure
      And whoever asks for the engine of "orders" gets a failure

    @EC-19
    Scenario: An engine is being created while its cache is closed
      Given thread A is busy creating the engine of "plans"
      When thread B closes the cache
      Then once it is created, thread A has no engine of "plans" that is open
