"""What things look like: numbers, colours, tables and products as lines of inked text."""
