"""The impure side: terminals, signals, processes, files and the command line. Only this package may touch them."""
