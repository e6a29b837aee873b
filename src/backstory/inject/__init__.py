"""Stage: budgeted, fenced, labelled text for an agent."""
