/** The drum of tickets on its stand, as on the site's own pages, small enough to turn. */
export function Drum() {
  return (
    <svg className="drum" viewBox="80 40 520 330" aria-hidden="true" focusable="false" fill="none">
      <defs>
        <path id="drum-body" d="M204 66H436A36 112 0 0 1 436 290H204A36 112 0 0 1 204 66Z" />
        <clipPath id="drum-inside">
          <use href="#drum-body" />
        </clipPath>
        <path id="drum-ticket" d="M-32-18H32V-6A6 6 0 0 0 32 6V18H-32V6A6 6 0 0 0-32-6Z" />
      </defs>
      <g stroke="var(--drum-wood)" strokeLinecap="round">
        <path d="M134 178L120 350M506 178L520 350" strokeWidth="22" />
        <path d="M98 352H542" strokeWidth="24" />
      </g>
      <path d="M122 178H520" stroke="var(--edge)" strokeWidth="12" />
      <use href="#drum-body" fill="var(--drum-paper)" />
      <g clipPath="url(#drum-inside)">
        <g className="drum-slats" stroke="var(--drum-ink)" strokeOpacity=".16" strokeWidth="6">
          <path d="M160-278H480M160-222H480M160-166H480M160-110H480M160-54H480M160 2H480M160 58H480M160 114H480M160 170H480M160 226H480M160 282H480" />
        </g>
        <g className="drum-tickets">
          <use href="#drum-ticket" fill="var(--drum-2)" transform="translate(214 236)rotate(-34)" />
          <use href="#drum-ticket" fill="var(--drum-1)" transform="translate(286 222)rotate(18)" />
          <use href="#drum-ticket" fill="var(--drum-3)" transform="translate(362 238)rotate(-20)" />
          <use href="#drum-ticket" fill="var(--drum-2)" transform="translate(426 224)rotate(30)" />
          <use href="#drum-ticket" fill="var(--drum-3)" transform="translate(246 264)rotate(-8)" />
          <use href="#drum-ticket" fill="var(--drum-1)" transform="translate(406 266)rotate(12)" />
          <use href="#drum-ticket" fill="var(--drum-2)" transform="translate(326 268)rotate(-4)" />
        </g>
      </g>
      <ellipse cx="436" cy="178" rx="36" ry="112" fill="var(--drum-wood)" />
      <path
        d="M204 66A36 112 0 0 0 204 290M320 66A36 112 0 0 0 320 290M436 66A36 112 0 0 1 436 290A36 112 0 0 1 436 66"
        stroke="var(--drum-1)"
        strokeWidth="11"
      />
      <g className="drum-crank">
        <path d="M438 178H564V120" stroke="var(--edge)" strokeWidth="12" strokeLinejoin="round" />
        <path d="M564 122V92" stroke="var(--drum-3)" strokeWidth="26" strokeLinecap="round" />
      </g>
    </svg>
  );
}
