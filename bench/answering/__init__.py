"""Measurements of recall: is what answers found, first, and nothing where nothing is known?"""
