"""A terminal tutor that teaches multi-head attention by its arithmetic."""
