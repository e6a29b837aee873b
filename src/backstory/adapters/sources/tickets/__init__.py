"""Tickets of GitHub, Linear and Jira: what a tracker says, in one form."""

from backstory.adapters.sources.tickets.shapes import Ticket, closing_event, ticket_of

__all__ = ["Ticket", "closing_event", "ticket_of"]
