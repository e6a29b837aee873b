"""What hosts said, told apart: human words, wrappers, secrets; and text folded for comparison."""
