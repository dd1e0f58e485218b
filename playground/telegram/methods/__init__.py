"""The Bot API's methods, one module per group; each is a function of the core and the call's parameters."""
