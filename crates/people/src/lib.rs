//! What staff note about entrants: tags, notes, duplicates and imports (D44).
