"""Units that follow from answers or labels elsewhere, and whether their source changed since."""
