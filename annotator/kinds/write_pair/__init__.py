"""Writing pairs of figurative sentences that begin alike and mean the opposite: from nothing, or from prompts."""
