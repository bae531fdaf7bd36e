"""Reports to publish: a tournament's document as a page, as Markdown and as CSV.

`document` makes the document, all else draws it: `tables` as rows of numbers that know where in
the document they stand, `numbers` as text, `charts` as pictures, `page`, `markdown` and
`csv_files` as what is written. Nothing is shown that the document does not hold.
"""
