# Generated from _async/__init__.py by `make generate`. Do not edit.
"""The sync client."""
