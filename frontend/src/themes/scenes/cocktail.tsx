/** A copper shaker, a coupe, limes and mint. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="cocktail-leaf">
          <path d="M0 0C-10 0-17-6-18-13C-25-18-26-26-22-31C-24-39-20-45-14-48C-12-56-6-62 0-68C6-62 12-56 14-48C20-45 24-39 22-31C26-26 25-18 18-13C17-6 10 0 0 0Z" fill="var(--scene-1)" />
          <path d="M0 0C10 0 17-6 18-13C25-18 26-26 22-31C24-39 20-45 14-48C12-56 6-62 0-68Z" fill="var(--scene-2)" />
          <path d="M-12-20L0-12M-13-34L0-26M-9-46L0-39" stroke="var(--scene-2)" strokeWidth="2" />
        </g>
        <path id="cocktail-segment" d="M0-5L8-23Q0-30-8-23Z" fill="var(--scene-4)" />
        <g id="cocktail-wheel">
          <circle r="36" fill="var(--scene-2)" />
          <circle r="31" fill="var(--scene-3)" />
          <use href="#cocktail-segment" />
          <use href="#cocktail-segment" transform="rotate(45)" />
          <use href="#cocktail-segment" transform="rotate(90)" />
          <use href="#cocktail-segment" transform="rotate(135)" />
          <use href="#cocktail-segment" transform="rotate(180)" />
          <use href="#cocktail-segment" transform="rotate(225)" />
          <use href="#cocktail-segment" transform="rotate(270)" />
          <use href="#cocktail-segment" transform="rotate(315)" />
        </g>
      </defs>
      <circle cx="330" cy="186" r="178" fill="var(--scene-1)" fillOpacity=".42" />
      <ellipse cx="328" cy="358" rx="272" ry="18" fill="var(--scene-1)" />
      <path d="M150 358H300L330 366Q240 374 130 366ZM370 354H480L520 362Q440 368 380 362Z" fill="var(--scene-6)" fillOpacity=".16" />

      {/* Mint behind the shaker */}
      <path d="M176 350C176 290 164 220 142 166" stroke="var(--scene-2)" strokeWidth="6" />
      <use href="#cocktail-leaf" transform="translate(144 176)rotate(-18)" />
      <use href="#cocktail-leaf" transform="translate(152 196)rotate(-82)" />
      <use href="#cocktail-leaf" transform="translate(153 200)rotate(46)" />
      <use href="#cocktail-leaf" transform="translate(167 246)rotate(-70)scale(1.1)" />
      <use href="#cocktail-leaf" transform="translate(167 250)rotate(58)scale(1.1)" />

      {/* Shaker */}
      <g transform="translate(18)">
      <path
        d="M208 168H312L298 344Q296 358 282 358H238Q224 358 222 344ZM204 168Q206 104 236 92H284Q314 104 316 168ZM238 92V64Q238 50 260 50Q282 50 282 64V92Z"
        fill="var(--scene-5)"
      />
      <path
        d="M266 50Q282 51 282 64V92H284Q314 104 316 168H312L298 344Q296 358 282 358H256Q280 280 278 168Q276 120 262 92Q270 70 266 50Z"
        fill="var(--scene-6)"
        fillOpacity=".2"
      />
      <path d="M204 163H316V173H204ZM233 88H287V95H233Z" fill="var(--scene-6)" fillOpacity=".5" />
      <path d="M223 148Q225 122 241 108M229 190L238 316M239 332L240 338M250 66V80" stroke="var(--scene-3)" strokeOpacity=".8" strokeWidth="8" />
      </g>

      {/* Ticket, leaning on the shaker */}
      <g transform="rotate(-17 330 330)translate(10)">
        <path d="M296 306H372V320A8 8 0 0 0 372 336V350H296V336A8 8 0 0 0 296 320Z" fill="var(--accent)" />
        <path d="M354 312V346" stroke="var(--accent-ink)" strokeWidth="2.5" strokeDasharray="1 6" />
        <path d="M312 322H340M312 334H328" stroke="var(--accent-ink)" strokeWidth="4" />
      </g>

      {/* Coupe */}
      <path d="M420 262V350" stroke="var(--scene-3)" strokeWidth="10" />
      <path d="M423 268V344" stroke="var(--scene-6)" strokeOpacity=".18" strokeWidth="4" />
      <ellipse cx="420" cy="352" rx="60" ry="9" fill="var(--scene-3)" />
      <path d="M316 166H524C522 236 476 272 420 272C364 272 318 236 316 166Z" fill="var(--scene-3)" fillOpacity=".88" />
      <path d="M325 186H515C507 238 468 262 420 262C372 262 333 238 325 186Z" fill="var(--scene-4)" />
      <path d="M470 186H515C507 238 468 262 420 262C462 248 476 222 470 186Z" fill="var(--scene-2)" fillOpacity=".35" />
      <ellipse cx="420" cy="187" rx="95" ry="11" fill="var(--scene-3)" fillOpacity=".6" />
      <path d="M344 210Q352 232 376 246" stroke="var(--scene-3)" strokeOpacity=".85" strokeWidth="7" />
      <path d="M412 222H412.1M432 238H432.1M440 214H440.1" stroke="var(--scene-3)" strokeOpacity=".8" strokeWidth="8" />
      <use href="#cocktail-wheel" transform="translate(500 146)rotate(12)scale(1.15)" />
      <use href="#cocktail-leaf" transform="translate(386 190)rotate(-30)scale(.8)" />
      <use href="#cocktail-leaf" transform="translate(388 190)rotate(24)scale(.9)" />

      {/* Limes */}
      <path d="M84 322C84 296 108 284 136 284C164 284 186 298 190 318C196 322 196 328 190 330C184 350 162 362 136 362C108 362 84 348 84 322Z" fill="var(--scene-4)" />
      <path d="M160 288C178 294 188 304 190 318C196 322 196 328 190 330C184 350 162 362 136 362C116 362 100 354 91 342C134 350 166 330 160 288Z" fill="var(--scene-2)" fillOpacity=".45" />
      <path d="M104 314Q108 302 122 298" stroke="var(--scene-3)" strokeOpacity=".8" strokeWidth="6" />
      <use href="#cocktail-wheel" transform="translate(204 326)scale(1.08)" />

      {/* Jigger */}
      <path d="M514 284H572L552 322L568 358H518L534 322Z" fill="var(--scene-5)" />
      <path d="M552 284H572L552 322L568 358H546L544 322Z" fill="var(--scene-6)" fillOpacity=".22" />
      <path d="M534 318H552V326H534Z" fill="var(--scene-6)" fillOpacity=".5" />
      <use href="#cocktail-leaf" transform="translate(490 366)rotate(-66)scale(.7)" />
      <use href="#cocktail-leaf" transform="translate(490 366)rotate(52)scale(.75)" />
    </svg>
  );
}
