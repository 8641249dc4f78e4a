"""Sleep: segment, reflect, revise, distill, and let go, as one planned and reversible step."""
