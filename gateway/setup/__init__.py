"""What setting up and looking for trouble share: trying credentials live, and writing the two files of a home."""
