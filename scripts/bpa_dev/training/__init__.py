"""Predictors learned from the tables in training/, and how well they do on families that they have not seen."""
