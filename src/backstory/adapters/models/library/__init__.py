"""`ModelClient` over the provider library: OpenAI and its kin, Anthropic, Google.

Everything here loads slow third-party packages; only `opening` imports it, when a model is asked.
"""
