"""Words and ports of the house: frozen data and Protocols, standard library only, no I/O."""
