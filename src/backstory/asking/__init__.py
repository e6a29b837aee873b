"""Asking a model and reading what it says: what every stage that proposes with a model shares.

Pure but for the client that is passed in. Whatever is read here is a proposal; who asked decides
what is legal.
"""
