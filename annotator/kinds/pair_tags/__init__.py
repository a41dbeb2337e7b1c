"""Interpretation tags on premise–hypothesis pairs: does the inference rest on the metaphor?"""
