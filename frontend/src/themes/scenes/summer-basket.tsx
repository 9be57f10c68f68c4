/** A basket for a day outside: a cloth, bread, a bottle, apples, and a hat beside it. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="summer-basket-apple">
          <path d="M0-20C-10-28-30-24-30-2C-30 18-14 30 0 24C14 30 30 18 30-2C30-24 10-28 0-20Z" fill="var(--scene-4)" />
          <path d="M14-24C26-20 30-14 30-2C30 18 14 30 0 24C20 18 24-4 14-24Z" fill="var(--scene-6)" fillOpacity=".18" />
          <path d="M0-18C0-26 2-32 6-36" stroke="var(--scene-6)" strokeWidth="4" />
          <path d="M6-30C14-42 26-42 32-36C26-26 14-24 6-30Z" fill="var(--scene-1)" />
        </g>
      </defs>
      <circle cx="320" cy="186" r="178" fill="var(--paper-2)" />
      <circle cx="436" cy="96" r="34" fill="var(--scene-4)" fillOpacity=".35" />
      <ellipse cx="322" cy="360" rx="274" ry="18" fill="var(--line)" />
      <path d="M96 360H470L520 364Q300 378 86 365Z" fill="var(--scene-6)" fillOpacity=".22" />

      {/* Grass */}
      <path d="M104 360C102 330 94 312 82 298M112 360C114 326 122 306 134 290M122 360C126 340 138 326 152 318M570 342C570 330 576 318 588 308" stroke="var(--scene-2)" strokeWidth="6" />

      {/* Handle */}
      <path d="M200 232C206 40 434 40 440 232" stroke="var(--scene-5)" strokeWidth="17" />
      <path d="M206 214C216 62 424 62 434 214" stroke="var(--scene-6)" strokeOpacity=".22" strokeWidth="6" strokeDasharray="3 12" />

      {/* Bottle */}
      <g transform="rotate(-12 262 200)">
        <path d="M250 92H278V128C278 146 296 152 296 176V262H232V176C232 152 250 146 250 128Z" fill="var(--scene-2)" />
        <path d="M270 92H278V128C278 146 296 152 296 176V262H276V170C276 152 268 146 270 128Z" fill="var(--scene-6)" fillOpacity=".22" />
        <path d="M248 84H280V104H248Z" fill="var(--scene-3)" />
        <path d="M232 186H296V226H232Z" fill="var(--scene-3)" />
        <path d="M244 200H276M244 212H266" stroke="var(--scene-5)" strokeWidth="4" />
      </g>

      {/* Bread */}
      <g transform="rotate(24 376 180)">
        <path d="M348 96C354 72 398 72 404 96V250H348Z" fill="var(--scene-5)" />
        <path d="M388 80Q402 84 404 96V250H384Q394 170 388 80Z" fill="var(--scene-6)" fillOpacity=".2" />
        <path d="M360 112L390 98M360 142L392 128M360 172L392 158" stroke="var(--scene-3)" strokeWidth="7" />
      </g>
      <use href="#summer-basket-apple" transform="translate(334 202)rotate(-8)" />

      {/* Cloth over the rim */}
      <path d="M182 216Q320 190 458 216L452 250H188Z" fill="var(--scene-3)" />
      <path d="M196 214Q320 194 444 214" stroke="var(--scene-1)" strokeWidth="6" strokeDasharray="14 12" strokeLinecap="butt" />

      {/* Basket: weave, shaded side, rim */}
      <path d="M180 234H460L432 346Q428 360 414 360H226Q212 360 208 346Z" fill="var(--scene-5)" />
      <path d="M196 268H446M202 296H438M210 324H430" stroke="var(--scene-6)" strokeOpacity=".28" strokeWidth="9" strokeDasharray="18 14" strokeLinecap="butt" />
      <path d="M212 282H442M208 310H434M216 340H424" stroke="var(--scene-3)" strokeOpacity=".4" strokeWidth="9" strokeDasharray="18 14" strokeLinecap="butt" />
      <path d="M404 234H460L432 346Q428 360 414 360H366Q402 306 404 234Z" fill="var(--scene-6)" fillOpacity=".16" />
      <path d="M176 236H464" stroke="var(--scene-5)" strokeWidth="18" />
      <path d="M176 242H464" stroke="var(--scene-6)" strokeOpacity=".2" strokeWidth="6" strokeDasharray="3 12" />

      {/* The corner of the cloth, and a ticket on it */}
      <path d="M236 232H352L296 322Z" fill="var(--scene-3)" />
      <path d="M250 244H338M266 270H322" stroke="var(--scene-1)" strokeWidth="6" strokeLinecap="butt" />
      <path d="M296 232H352L296 322Z" fill="var(--scene-6)" fillOpacity=".08" />
      <g transform="rotate(-10 388 290)">
        <path d="M354 272H418V284A6 6 0 0 0 418 296V312H354V296A6 6 0 0 0 354 284Z" fill="var(--accent)" />
        <path d="M402 278V307" stroke="var(--accent-ink)" strokeWidth="2.5" strokeDasharray="1 6" />
        <path d="M365 287H388M365 299H380" stroke="var(--accent-ink)" strokeWidth="4" />
      </g>

      {/* Straw hat */}
      <ellipse cx="532" cy="346" rx="66" ry="15" fill="var(--scene-3)" />
      <path d="M498 344C496 300 510 290 532 290C554 290 568 300 566 344Q532 354 498 344Z" fill="var(--scene-3)" />
      <path d="M550 293Q570 304 566 344Q552 349 540 349Q558 324 550 293ZM474 350Q532 370 590 350Q570 362 532 362Q494 362 474 350Z" fill="var(--scene-6)" fillOpacity=".16" />
      <path d="M498 328Q532 338 566 328L566 342Q532 352 498 342Z" fill="var(--scene-4)" />

      {/* Apple in the grass */}
      <use href="#summer-basket-apple" transform="translate(160 336)rotate(14)scale(.9)" />
    </svg>
  );
}
