"""Hooks of coding agents: the program that they start, and the plugin folders that start it."""
