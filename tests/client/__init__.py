"""Tests of the ways in to a desk."""
