"""A policy in, a folder that can be signed out.

`policy` is what people write; `run` takes it through its stages, has every claim judged on the
final data, measures, and writes the release folder or nothing.
"""
