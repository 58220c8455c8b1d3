"""Compiled loops over game trees and sequence forms."""
