"""UIMA CAS as INCEpTION writes it: XMI and JSON."""
