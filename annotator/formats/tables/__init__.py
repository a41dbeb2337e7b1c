"""Tables: CSV, TSV and Excel, in and out."""
