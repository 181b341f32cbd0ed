"""Other people's programs, built with and without the plugin as their users build them.

sources.py    where their sources come from
recipes.py    how each is built and tested
make.py       compilations that `make` has run
weights.py    what compilations leave in objects and in the IR
outcome.py    a build with the plugin held against one without
"""
