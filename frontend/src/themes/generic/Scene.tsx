/** The tombola: a drum of paper tickets with a crank. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <path id="generic-ticket" d="M-30-17H30V-6A6 6 0 0 0 30 6V17H-30V6A6 6 0 0 0-30-6Z" />
        <clipPath id="generic-glass">
          <path d="M186 78H446Q478 90 478 170Q478 250 446 262H186Q154 250 154 170Q154 90 186 78Z" />
        </clipPath>
      </defs>
      <circle cx="316" cy="190" r="180" fill="var(--paper-2)" />
      <ellipse cx="320" cy="360" rx="262" ry="16" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Far legs */}
      <path d="M186 180L154 356M446 180L478 356" stroke="var(--scene-5)" strokeWidth="16" />
      <path d="M186 78H446Q478 90 478 170Q478 250 446 262H186Q154 250 154 170Q154 90 186 78Z" fill="var(--paper)" />
      <g clipPath="url(#generic-glass)">
        <path d="M150 190Q230 160 316 184Q400 204 490 180V270H150Z" fill="var(--scene-3)" />
        <g fill="var(--scene-4)">
          <use href="#generic-ticket" transform="translate(200 200)rotate(-24)" />
          <use href="#generic-ticket" transform="translate(330 216)rotate(14)" />
          <use href="#generic-ticket" transform="translate(430 206)rotate(-40)" />
        </g>
        <g fill="var(--scene-1)">
          <use href="#generic-ticket" transform="translate(256 190)rotate(30)" />
          <use href="#generic-ticket" transform="translate(390 236)rotate(-8)" />
          <use href="#generic-ticket" transform="translate(220 244)rotate(10)" />
        </g>
        <g fill="var(--scene-2)">
          <use href="#generic-ticket" transform="translate(380 184)rotate(-18)" />
          <use href="#generic-ticket" transform="translate(290 250)rotate(-30)" />
        </g>
      </g>
      <path d="M196 78Q166 170 196 262M436 78Q466 170 436 262" stroke="var(--scene-1)" strokeWidth="12" />
      <path d="M478 170H540V120" stroke="var(--scene-6)" strokeWidth="12" />
      <circle cx="540" cy="112" r="18" fill="var(--scene-4)" />
      <path d="M154 170L110 356M154 170L210 356M478 170L430 356M478 170L522 356" stroke="var(--scene-5)" strokeWidth="16" />
    </svg>
  );
}
