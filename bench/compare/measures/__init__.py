"""What is measured, one file each: build, curve, filters, churn, composite, large."""
