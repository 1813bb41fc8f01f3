"""Mail out of the house: composed, addressed and sent."""
