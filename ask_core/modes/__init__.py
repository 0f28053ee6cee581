"""One module a mode: what each command and key does there. The modes do not know each other."""
