"""The asyncio client, from which ``scripts/generate.py`` makes the sync one."""
