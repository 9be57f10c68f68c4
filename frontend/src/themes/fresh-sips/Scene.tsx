/** A copper shaker, a coupe, limes and mint. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="fresh-sips-leaf">
          <path d="M0 0C-12-4-24-14-22-24C-26-32-22-44-12-50C-8-56-4-60 0-64C4-60 8-56 12-50C22-44 26-32 22-24C24-14 12-4 0 0Z" fill="var(--scene-1)" />
          <path d="M0 0C12-4 24-14 22-24C26-32 22-44 12-50C8-56 4-60 0-64Z" fill="var(--scene-2)" />
        </g>
        <path id="fresh-sips-segment" d="M0-4L8-24Q0-29-8-24Z" fill="var(--scene-4)" />
        <g id="fresh-sips-wheel">
          <circle r="36" fill="var(--scene-2)" />
          <circle r="31" fill="var(--scene-3)" />
          <use href="#fresh-sips-segment" />
          <use href="#fresh-sips-segment" transform="rotate(45)" />
          <use href="#fresh-sips-segment" transform="rotate(90)" />
          <use href="#fresh-sips-segment" transform="rotate(135)" />
          <use href="#fresh-sips-segment" transform="rotate(180)" />
          <use href="#fresh-sips-segment" transform="rotate(225)" />
          <use href="#fresh-sips-segment" transform="rotate(270)" />
          <use href="#fresh-sips-segment" transform="rotate(315)" />
        </g>
      </defs>
      <circle cx="330" cy="194" r="182" fill="var(--paper-2)" />
      <ellipse cx="328" cy="360" rx="262" ry="16" fill="var(--scene-6)" fillOpacity=".16" />

      {/* Mint behind the shaker */}
      <path d="M176 350C172 290 166 230 150 180" stroke="var(--scene-2)" strokeWidth="6" />
      <use href="#fresh-sips-leaf" transform="translate(151 186)rotate(-14)" />
      <use href="#fresh-sips-leaf" transform="translate(156 206)rotate(-76)" />
      <use href="#fresh-sips-leaf" transform="translate(158 212)rotate(52)" />
      <use href="#fresh-sips-leaf" transform="translate(168 256)rotate(-60)scale(1.1)" />
      <use href="#fresh-sips-leaf" transform="translate(168 258)rotate(64)scale(1.1)" />

      {/* Shaker */}
      <path d="M208 168H312L298 344Q296 358 282 358H238Q224 358 222 344Z" fill="var(--scene-5)" />
      <path d="M204 168Q206 104 236 92H284Q314 104 316 168Z" fill="var(--scene-5)" />
      <path d="M238 92V64Q238 50 260 50Q282 50 282 64V92Z" fill="var(--scene-5)" />
      <path d="M268 50Q282 52 282 64V92H284Q314 104 316 168H312L298 344Q296 358 282 358H258Q280 280 276 168Q274 120 262 92Z" fill="var(--scene-6)" fillOpacity=".2" />
      <path d="M204 164H316V174H204ZM232 88H288V96H232Z" fill="var(--scene-6)" fillOpacity=".45" />
      <path d="M224 146Q226 118 242 106M230 190L240 330" stroke="var(--scene-3)" strokeOpacity=".7" strokeWidth="9" />

      {/* Coupe */}
      <path d="M420 262V350" stroke="var(--scene-3)" strokeWidth="9" />
      <ellipse cx="420" cy="352" rx="58" ry="8" fill="var(--scene-3)" />
      <path d="M318 168H522C520 236 474 270 420 270C366 270 320 236 318 168Z" fill="var(--scene-3)" />
      <path d="M326 186H514C506 236 468 260 420 260C372 260 334 236 326 186Z" fill="var(--scene-4)" />
      <ellipse cx="420" cy="186" rx="94" ry="10" fill="var(--scene-3)" fillOpacity=".5" />
      <path d="M344 206Q354 232 382 246" stroke="var(--scene-3)" strokeOpacity=".8" strokeWidth="7" />
      <use href="#fresh-sips-wheel" transform="translate(492 152)rotate(12)scale(1.1)" />
      <use href="#fresh-sips-leaf" transform="translate(392 186)rotate(-18)scale(.8)" />
      <use href="#fresh-sips-leaf" transform="translate(396 188)rotate(40)scale(.7)" />

      {/* Limes */}
      <ellipse cx="140" cy="322" rx="46" ry="38" fill="var(--scene-2)" />
      <use href="#fresh-sips-wheel" transform="translate(196 326)scale(1.05)" />
      <use href="#fresh-sips-leaf" transform="translate(520 356)rotate(66)scale(.9)" />
      <use href="#fresh-sips-leaf" transform="translate(528 356)rotate(14)scale(.8)" />
    </svg>
  );
}
