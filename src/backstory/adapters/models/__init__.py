"""Language models behind the `ModelClient` port: one adapter for all providers, one scripted.

Nothing here is imported by what runs at every prompt; the provider libraries are the optional
extra `models` and load at the first request.
"""
