"""What every page shares: middleware, the context of a project, refusals, Markdown."""
