const PIECES = 24;

/** Where the scraps fall: any step that shares no factor with their number scatters them. */
const placeOf = (piece: number) => ((piece * 7) % PIECES) / PIECES;

/** Scraps of tickets that fall once over what tells somebody that they won. They need an ancestor with a position. */
export function Confetti() {
  return (
    <div className="confetti" aria-hidden="true">
      {Array.from({ length: PIECES }, (_, piece) => (
        <i
          key={piece}
          style={{ left: `${placeOf(piece) * 100}%`, animationDelay: `${piece * 40}ms` }}
        />
      ))}
    </div>
  );
}
