"""Pictures of words in many handwritings, to train and test a model that reads handwriting."""
