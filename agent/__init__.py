"""The mind: a library that turns a conversation into steps, and knows nothing of gateways."""
