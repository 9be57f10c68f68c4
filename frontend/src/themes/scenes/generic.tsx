/** The tombola: a drum of paper tickets on its stand, with a crank. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="generic-ticket">
          <path d="M-32-18H32V-6A6 6 0 0 0 32 6V18H-32V6A6 6 0 0 0-32-6Z" />
          <path d="M16-12V12" stroke="var(--scene-3)" strokeWidth="2.5" strokeDasharray="1 5" />
          <path d="M-20-5H4M-20 5H-6" stroke="var(--scene-3)" strokeWidth="3" />
        </g>
        <path id="generic-drum" d="M204 66H436A36 112 0 0 1 436 290H204A36 112 0 0 1 204 66Z" />
        <clipPath id="generic-inside">
          <use href="#generic-drum" />
        </clipPath>
      </defs>
      <circle cx="320" cy="186" r="178" fill="var(--scene-1)" fillOpacity=".3" />
      <ellipse cx="324" cy="360" rx="280" ry="18" fill="var(--line)" />
      <path d="M88 360H552L580 364Q320 378 80 365Z" fill="var(--scene-6)" fillOpacity=".2" />

      {/* Stand and axle */}
      <path d="M122 178H520" stroke="var(--ink-2)" strokeWidth="12" />
      <path d="M112 350L128 164H144L156 350ZM484 350L496 164H512L528 350Z" fill="var(--scene-5)" />
      <path d="M88 340H552V360H88Z" fill="var(--scene-5)" />
      <path d="M136 164H144L156 340H142ZM504 164H512L528 340H514ZM88 352H552V360H88Z" fill="var(--scene-6)" fillOpacity=".22" />

      {/* Open hatch, and tickets on their way in */}
      <path d="M236 68L200 22L212 14L252 68Z" fill="var(--scene-1)" />
      <path d="M224 30L252 68H246L218 26Z" fill="var(--scene-6)" fillOpacity=".2" />
      <use href="#generic-ticket" fill="var(--scene-4)" transform="translate(276 54)rotate(-66)" />
      <use href="#generic-ticket" fill="var(--scene-2)" transform="translate(336 32)rotate(-24)" />
      <use href="#generic-ticket" fill="var(--scene-1)" transform="translate(412 34)rotate(18)scale(.9)" />

      {/* Drum and its tickets */}
      <use href="#generic-drum" fill="var(--scene-3)" />
      <g clipPath="url(#generic-inside)">
        <g fill="var(--scene-2)">
          <use href="#generic-ticket" transform="translate(214 196)rotate(-34)" />
          <use href="#generic-ticket" transform="translate(338 186)rotate(24)" />
          <use href="#generic-ticket" transform="translate(432 214)rotate(-52)" />
        </g>
        <g fill="var(--scene-1)">
          <use href="#generic-ticket" transform="translate(270 202)rotate(18)" />
          <use href="#generic-ticket" transform="translate(394 204)rotate(-20)" />
          <use href="#generic-ticket" transform="translate(190 240)rotate(30)" />
        </g>
        <g fill="var(--scene-4)">
          <use href="#generic-ticket" transform="translate(236 232)rotate(-12)" />
          <use href="#generic-ticket" transform="translate(330 228)rotate(-28)" />
          <use href="#generic-ticket" transform="translate(428 254)rotate(16)" />
        </g>
        <g fill="var(--scene-2)">
          <use href="#generic-ticket" transform="translate(282 254)rotate(36)" />
          <use href="#generic-ticket" transform="translate(384 248)rotate(8)" />
          <use href="#generic-ticket" transform="translate(206 278)rotate(-8)" />
        </g>
        <g fill="var(--scene-1)">
          <use href="#generic-ticket" transform="translate(334 272)rotate(-6)" />
          <use href="#generic-ticket" transform="translate(256 284)rotate(14)" />
        </g>
      </g>
      <path d="M177 252H436V290H204Q188 284 177 252Z" fill="var(--scene-6)" fillOpacity=".18" />
      <path
        d="M222 100Q208 130 206 166M242 100Q234 118 231 138M348 100Q334 130 332 160"
        stroke="var(--scene-1)"
        strokeOpacity=".35"
        strokeWidth="8"
      />
      <ellipse cx="436" cy="178" rx="36" ry="112" fill="var(--scene-5)" />
      <path d="M452 80Q472 116 472 178A36 112 0 0 1 436 290Q460 240 452 80Z" fill="var(--scene-6)" fillOpacity=".22" />
      <ellipse cx="436" cy="178" rx="22" ry="80" stroke="var(--scene-6)" strokeOpacity=".25" strokeWidth="6" />
      <path
        d="M204 66A36 112 0 0 0 204 290M320 66A36 112 0 0 0 320 290M436 66A36 112 0 0 1 436 290A36 112 0 0 1 436 66"
        stroke="var(--scene-1)"
        strokeWidth="11"
        strokeLinecap="butt"
      />
      <path d="M238 61H312L308 70H242Z" fill="var(--scene-6)" />

      {/* Crank */}
      <ellipse cx="436" cy="178" rx="13" ry="22" fill="var(--scene-1)" />
      <path d="M438 178H564V120" stroke="var(--ink-2)" strokeWidth="12" strokeLinejoin="round" />
      <path d="M564 122V88" stroke="var(--scene-4)" strokeWidth="26" />
      <path d="M559 112V90" stroke="var(--scene-3)" strokeOpacity=".5" strokeWidth="5" />
    </svg>
  );
}
