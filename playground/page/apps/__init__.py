"""The emulated apps as the page knows them: talks and messages in one shape, and what a person does in one language."""
