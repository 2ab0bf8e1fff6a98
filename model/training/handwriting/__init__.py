"""Pictures of words in many hands, to train and to test a model that reads handwriting."""
