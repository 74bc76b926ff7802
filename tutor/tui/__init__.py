"""The lesson in a terminal: keys and mouse move one Focus, widgets show the lines that it gives."""
