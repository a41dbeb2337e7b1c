"""Files that people upload or jobs write, and how much room they may take."""
