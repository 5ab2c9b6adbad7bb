"""What taking samples costs."""
