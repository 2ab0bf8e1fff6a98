"""A package, so that ``python -m tests.fast`` finds this one: Hershey-Fonts installs a package of the same name."""
