"""What was published of a tournament, compared with what is recomputed of it. Pure.

One file for each form: `documents` (JSON), `pages`, `texts` (Markdown), `sheets` (CSV). Each gives
the first difference as a sentence: where, what is published, what is recomputed. Reading files is
not done here.
"""
