"""`sfumato studio`: a local page, and a service, over the same pipeline as the command line.

The server stores files, keeps the list of jobs and checks who asks. It never parses what was
uploaded: files are read, and policies run, in processes of their own with limits.
"""
