"""What is measured on a sentence before it is shown: what a scene says of it, and which word comes from which."""
