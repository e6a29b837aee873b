"""The hook: what coding agents run at every prompt. It never fails them and never lingers."""
