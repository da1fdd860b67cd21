"""The guided panel."""
