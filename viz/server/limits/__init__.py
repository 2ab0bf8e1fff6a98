"""What one visitor may ask of the server: whose pages, how often, and how many bytes."""
