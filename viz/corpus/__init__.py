"""What the Corpus page shows: claims about heads made and tested on many sentences."""
