"""Predictors learned from the tables in lab/data/, and how well they do on families that they have not seen."""
