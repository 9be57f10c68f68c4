/** A table that is set for guests: a plate, cutlery, a glass, a candle and a jug of flowers. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="set-table-flower">
          <path d="M0-14C9-26 24-17 17-4C30 3 22 19 8 14C4 28-13 24-12 10C-27 7-24-11-10-10C-14-24 2-28 0-14Z" />
          <circle r="7" fill="var(--scene-3)" />
        </g>
        <path id="set-table-leaf" d="M0 0C-15-13-15-38 0-56C15-38 15-13 0 0Z" />
      </defs>
      <circle cx="320" cy="186" r="178" fill="var(--paper-2)" />

      {/* Candle */}
      <path d="M160 92C148 76 154 62 162 48C172 62 174 78 160 92Z" fill="var(--scene-4)" />
      <path d="M161 88C156 80 158 74 162 66C166 74 167 80 161 88Z" fill="var(--scene-3)" />
      <path d="M160 98V88" stroke="var(--scene-6)" strokeWidth="4" />
      <path d="M144 98H176V262H144Z" fill="var(--scene-1)" />
      <path d="M166 98H176V262H166Z" fill="var(--scene-6)" fillOpacity=".14" />
      <path d="M136 246H184L180 268H168V278H196V290H124V278H152V268H140Z" fill="var(--scene-5)" />
      <path d="M172 246H184L180 268H168V278H196V290H172Z" fill="var(--scene-6)" fillOpacity=".2" />

      {/* Flowers */}
      <path d="M470 190C468 150 456 122 436 100M474 190C476 140 486 108 484 66M480 190C490 158 510 136 534 124" stroke="var(--scene-2)" strokeWidth="5" />
      <g fill="var(--scene-1)">
        <use href="#set-table-leaf" transform="translate(464 162)rotate(-64)" />
        <use href="#set-table-leaf" transform="translate(478 132)rotate(48)scale(.85)" />
      </g>
      <g fill="var(--scene-2)">
        <use href="#set-table-leaf" transform="translate(486 172)rotate(74)" />
        <use href="#set-table-leaf" transform="translate(480 112)rotate(-56)scale(.8)" />
        <use href="#set-table-leaf" transform="translate(472 184)rotate(-34)" />
      </g>
      <use href="#set-table-flower" fill="var(--scene-4)" transform="translate(434 94)scale(1.15)" />
      <use href="#set-table-flower" fill="var(--scene-1)" transform="translate(486 62)rotate(30)scale(1.2)" />
      <use href="#set-table-flower" fill="var(--scene-4)" transform="translate(538 120)rotate(-20)" />

      {/* Jug */}
      <path d="M524 206C560 198 564 254 522 260" stroke="var(--scene-5)" strokeWidth="11" />
      <path d="M432 180L514 176Q520 196 514 206C536 226 534 272 516 290H436C416 272 416 226 442 204Z" fill="var(--scene-5)" />
      <path d="M492 177L514 176Q520 196 514 206C536 226 534 272 516 290H484C506 262 506 220 492 177Z" fill="var(--scene-6)" fillOpacity=".2" />
      <path d="M432 232Q474 244 524 230" stroke="var(--scene-3)" strokeWidth="5" strokeDasharray="2 10" />

      {/* Table: its top and the cloth that hangs */}
      <path d="M52 284Q320 268 588 284L616 326H24Z" fill="var(--line)" />
      <path d="M24 326H616V340Q598 366 574 344Q548 372 520 346Q492 372 464 346Q436 374 408 346Q378 374 348 346Q320 374 290 346Q262 374 232 346Q204 372 176 346Q148 372 120 346Q94 370 68 344Q42 366 24 340Z" fill="var(--scene-1)" />
      <path d="M24 326H616V333H24Z" fill="var(--scene-6)" fillOpacity=".18" />
      <path d="M420 292Q470 282 540 290Q520 302 430 300ZM124 290Q164 282 216 290Q190 300 130 298Z" fill="var(--scene-6)" fillOpacity=".14" />

      {/* Napkin, plates, and a ticket for the guest */}
      <ellipse cx="306" cy="304" rx="104" ry="19" fill="var(--scene-6)" fillOpacity=".16" />
      <ellipse cx="304" cy="298" rx="100" ry="18" fill="var(--scene-2)" />
      <ellipse cx="304" cy="292" rx="84" ry="14" fill="var(--paper)" />
      <ellipse cx="304" cy="290" rx="60" ry="9" stroke="var(--line)" strokeWidth="3" />
      <path d="M270 290L304 226L340 290Q304 300 270 290Z" fill="var(--scene-4)" />
      <path d="M304 226L340 290Q326 295 306 296Z" fill="var(--scene-6)" fillOpacity=".18" />
      <g transform="rotate(-8 304 262)">
        <path d="M274 250H334V258A5 5 0 0 0 334 268V278H274V268A5 5 0 0 0 274 258Z" fill="var(--accent)" />
        <path d="M320 255V273" stroke="var(--accent-ink)" strokeWidth="2.5" strokeDasharray="1 6" />
        <path d="M283 260H306M283 269H298" stroke="var(--accent-ink)" strokeWidth="3.5" />
      </g>

      {/* Fork and knife */}
      <path d="M182 316L206 288M194 302L212 300M190 312L176 320" stroke="var(--ink-2)" strokeWidth="5" />
      <path d="M402 288L424 312" stroke="var(--ink-2)" strokeWidth="7" />
      <path d="M424 312L436 322" stroke="var(--scene-5)" strokeWidth="9" />

      {/* Glass */}
      <path d="M226 132H284C288 174 280 200 255 206C230 200 222 174 226 132Z" fill="var(--paper)" fillOpacity=".85" />
      <path d="M225 160H285C284 186 274 202 255 206C236 202 226 186 225 160Z" fill="var(--scene-4)" />
      <path d="M270 132H284C288 174 280 200 255 206C272 192 274 166 270 132Z" fill="var(--scene-6)" fillOpacity=".14" />
      <path d="M226 132H284C288 174 280 200 255 206C230 200 222 174 226 132Z" stroke="var(--ink-2)" strokeWidth="4" />
      <path d="M255 206V272" stroke="var(--ink-2)" strokeWidth="5" />
      <path d="M232 276Q255 266 278 276" stroke="var(--ink-2)" strokeWidth="6" />
    </svg>
  );
}
