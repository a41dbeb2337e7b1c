"""Protocols of published datasets: templates of projects, file formats that one of them alone has, tables, releases.

A protocol may use the kinds of work; nothing else knows it but `settings.KINDS`.
"""
