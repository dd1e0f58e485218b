"""The mind as a library: a model and tools in turn over a transcript; it knows nothing of gateways."""
