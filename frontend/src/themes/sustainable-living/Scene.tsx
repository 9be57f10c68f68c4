/** A glass jar, bamboo brushes and a cotton bag. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <path id="sustainable-living-leaf" d="M0 0C-16-12-16-40 0-58C16-40 16-12 0 0Z" />
      </defs>
      <circle cx="320" cy="194" r="182" fill="var(--paper-2)" />
      <ellipse cx="320" cy="360" rx="258" ry="16" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Cotton bag with greens and a loaf */}
      <g fill="var(--scene-1)">
        <use href="#sustainable-living-leaf" transform="translate(420 180)rotate(-30)scale(1.6)" />
        <use href="#sustainable-living-leaf" transform="translate(430 180)scale(1.8)" />
        <use href="#sustainable-living-leaf" transform="translate(446 180)rotate(28)scale(1.5)" />
      </g>
      <path d="M366 190L338 72Q336 52 354 50Q370 50 374 68L410 190Z" fill="var(--scene-3)" />
      <path d="M356 90L372 82M362 118L380 110M369 146L387 138" stroke="var(--scene-6)" strokeOpacity=".3" strokeWidth="5" />
      <path d="M336 170H506L520 346Q520 358 508 358H336Q324 358 324 346Z" fill="var(--scene-4)" />
      <path d="M470 170H506L520 346Q520 358 508 358H450Q480 270 470 170Z" fill="var(--scene-6)" fillOpacity=".12" />
      <path d="M372 176C374 240 466 240 470 176" stroke="var(--scene-3)" strokeWidth="11" />
      <use href="#sustainable-living-leaf" fill="var(--scene-2)" transform="translate(424 328)scale(1.2)" />

      {/* Jar */}
      <path d="M176 150Q160 160 160 182V336Q160 358 182 358H278Q300 358 300 336V182Q300 160 284 150Z" fill="var(--scene-5)" />
      <path d="M168 232Q230 218 292 232V334Q292 350 276 350H184Q168 350 168 334Z" fill="var(--scene-3)" />
      <path d="M174 132H286V152H174Z" fill="var(--scene-5)" />
      <path d="M168 110H292V132H168Z" fill="var(--scene-4)" />
      <path d="M184 180V320" stroke="var(--scene-4)" strokeOpacity=".8" strokeWidth="8" />

      {/* Brush */}
      <g transform="rotate(-10 320 340)">
        <path d="M360 336H520" stroke="var(--scene-3)" strokeWidth="16" />
        <path d="M300 324H364V346H300Z" fill="var(--scene-3)" />
        <path d="M304 346H360V366H304Z" fill="var(--scene-4)" />
      </g>
    </svg>
  );
}
