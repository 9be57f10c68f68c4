/** One ticket; for a mega package a fan of three with a star. */
export function PackageIcon({ isMega }: { isMega: boolean }) {
  return (
    <svg
      className="pack-icon"
      viewBox="0 0 40 40"
      aria-hidden="true"
      focusable="false"
      data-icon={isMega ? 'mega' : 'ticket'}
    >
      {isMega && (
        <>
          <path fill="var(--scene-2)" d={ticket} transform="rotate(-24 20 30)" />
          <path fill="var(--scene-1)" d={ticket} transform="rotate(24 20 30)" />
        </>
      )}
      <path fill="var(--accent)" d={ticket} />
      {isMega ? (
        <path
          fill="var(--accent-ink)"
          d="m20 12 2.2 4.6 5.1.7-3.7 3.5.9 5.1-4.5-2.5-4.5 2.5.9-5.1-3.7-3.5 5.1-.7z"
        />
      ) : (
        <path stroke="var(--accent-ink)" strokeWidth="2" strokeDasharray="3 3" d="M12 26h16" />
      )}
    </svg>
  );
}

const ticket =
  'M12 5h16a3 3 0 0 1 3 3v15a3 3 0 0 0 0 6v3a3 3 0 0 1-3 3H12a3 3 0 0 1-3-3v-3a3 3 0 0 0 0-6V8a3 3 0 0 1 3-3Z';
