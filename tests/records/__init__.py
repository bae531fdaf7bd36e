"""Tests of pitch.records."""
