"""Trains predictors on the tables in lab/data/, and evaluates them on families that were left out of the training."""
