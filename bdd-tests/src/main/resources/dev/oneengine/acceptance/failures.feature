@clear-failures
Feature: A failure says which database it is about, and gives no password away

  Rule: A URL that cannot be read is named by its scheme, as a password may stand anywhere behind that

    @FA-01
    Scenario Outline: The scheme of a URL that cannot be read is in the message: <url>
      When somebody asks for the engine of the URL "<url>"
      Then the failure says "<scheme>"

      Examples:
        | url                           | scheme           |
        | sqlite:plans.db               | sqlite:          |
        | sqlite://host/plans.db        | sqlite:          |
        | jdbc:sqlite:plans?mode=memory | jdbc:sqlite:     |
        | jdbc:sqlite:plans?a=1&a=1     | jdbc:sqlite:     |
        | jdbc:postgresql:              | jdbc:postgresql: |
        | postgresql://db:0/plans       | postgresql:      |
        | postgresql://db/plans/more    | postgresql:      |

    @FA-02
    Scenario Outline: A password is not in the message: <url>
      When somebody asks for the engine of the URL "<url>"
      Then the failure says "<shown>"
      And the failure does not show "hunter2"

      Examples:
        | url                                         | shown            |
        | mysql://joe:hunter2@db/plans                | mysql:           |
        | postgresql://joe:hunter2@db:x/plans         | postgresql:      |
        | postgresql://joe:hunter2@/plans             | postgresql:      |
        | postgresql:joe:hunter2@db/plans             | postgresql:      |
        | jdbc:postgresql://db/plans;password=hunter2 | jdbc:postgresql: |
        | host=db user=joe password=hunter2           | URL              |

  @postgresql
  Rule: A server that cannot be reached is named

    @FA-03
    Scenario: Nobody listens
      When somebody asks for the engine of the URL "postgresql://joe:hunter2@localhost:1/plans"
      Then the failure says "localhost:1/plans"
      And the failure does not show "hunter2"

  Rule: A closed engine says which one it was

    @FA-04
    Scenario: A data source is used after its engine was closed
      Given an in-memory database "plans"
      And somebody keeps the data source of "plans" when its engine is closed
      When the data source is used
      Then the failure names the URL of "plans"
