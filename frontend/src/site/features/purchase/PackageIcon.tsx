interface Props {
  isMega: boolean;
  /** The smallest that is sold. */
  isFirst: boolean;
}

/** One ticket, or two; for a mega package three and a star. */
export function PackageIcon({ isMega, isFirst }: Props) {
  return (
    <svg
      className="pack-icon"
      viewBox="0 0 40 40"
      aria-hidden="true"
      focusable="false"
      data-icon={isMega ? 'mega' : 'ticket'}
    >
      {isMega && <path fill="var(--scene-2)" d={ticket} transform="rotate(-32 6 28)" />}
      {!isFirst && <path fill="var(--scene-1)" d={ticket} transform="rotate(-16 6 28)" />}
      <path fill="var(--accent)" d={ticket} />
      <path
        fill={isMega ? 'var(--accent-ink)' : 'none'}
        stroke="var(--accent-ink)"
        strokeDasharray={isMega ? 'none' : '2 2'}
        d={isMega ? 'm15 14 2 4h4l-3 3 1 4-4-2-4 2 1-4-3-3h4zM28 14v12' : 'M28 14v12'}
      />
    </svg>
  );
}

/** Lies as tickets do, with the two bites of its perforation. */
const ticket =
  'M5 11h20a3 3 0 0 0 6 0h4a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3h-4a3 3 0 0 0-6 0H5a3 3 0 0 1-3-3V14a3 3 0 0 1 3-3Z';
