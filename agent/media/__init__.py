"""What comes as a file made fit for a mind: pictures small enough, documents as text, voices as words."""
