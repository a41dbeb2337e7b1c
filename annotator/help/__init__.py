"""The manual in the app: pages of `docs/manual`, in the reader's language where there is one."""
