"""What stands around every page: pickers, navigation's companions and the first screen."""
