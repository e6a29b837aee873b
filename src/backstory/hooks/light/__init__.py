"""Stand-ins for modules of the standard library that a prompt would wait for to load.

They are used in the process of a hook and no other; `start` puts them in place. Each does what
is asked of it there as the standard module would, which tests hold it against.
"""
