"""Files of one corpus each: Meta4XNLI, VUAMC."""
