/** A canvas tool bag with seedlings and hand tools. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="tool-bag-leaf">
          <path d="M0 0C-20-14-21-42 0-62C21-42 20-14 0 0Z" fill="var(--scene-1)" />
          <path d="M0 0C20-14 21-42 0-62Z" fill="var(--scene-2)" />
        </g>
      </defs>
      <circle cx="322" cy="186" r="178" fill="var(--paper-2)" />
      <ellipse cx="324" cy="360" rx="274" ry="18" fill="var(--line)" />
      <path d="M100 360H440L480 364Q300 378 92 365Z" fill="var(--scene-6)" fillOpacity=".22" />

      {/* Back handle and the inside of the bag */}
      <path d="M262 180C268 108 372 108 378 180" stroke="var(--scene-6)" strokeWidth="13" />
      <path d="M174 182Q320 152 466 182L440 250H200Z" fill="var(--scene-6)" />

      {/* Hand fork */}
      <g transform="rotate(15 420 220)">
        <path d="M420 250V122" stroke="var(--scene-5)" strokeWidth="18" />
        <path d="M426 250V122" stroke="var(--scene-6)" strokeOpacity=".2" strokeWidth="6" />
        <path d="M420 128V50M396 46V78C396 104 444 104 444 78V46" stroke="var(--ink-2)" strokeWidth="7" />
        <path d="M412 126H428" stroke="var(--scene-4)" strokeWidth="12" />
      </g>

      {/* Seedlings */}
      <path
        d="M300 210C304 150 296 100 300 66M228 210C228 180 222 150 208 126M356 214C354 190 360 160 372 140"
        stroke="var(--scene-2)"
        strokeWidth="6"
      />
      <use href="#tool-bag-leaf" transform="translate(300 84)scale(1.05)" />
      <use href="#tool-bag-leaf" transform="translate(300 104)rotate(60)scale(1.1)" />
      <use href="#tool-bag-leaf" transform="translate(300 116)rotate(-64)scale(1.15)" />
      <use href="#tool-bag-leaf" transform="translate(302 152)rotate(66)" />
      <use href="#tool-bag-leaf" transform="translate(301 172)rotate(-50)scale(1.1)" />
      <use href="#tool-bag-leaf" transform="translate(210 132)rotate(-24)" />
      <use href="#tool-bag-leaf" transform="translate(220 150)rotate(-82)" />
      <use href="#tool-bag-leaf" transform="translate(226 166)rotate(34)" />
      <use href="#tool-bag-leaf" transform="translate(370 146)rotate(22)scale(.9)" />
      <use href="#tool-bag-leaf" transform="translate(360 172)rotate(-36)scale(.7)" />

      {/* Bag: canvas, shaded side, base, seam */}
      <path d="M174 182Q320 208 466 182L442 344Q440 360 424 360H216Q200 360 198 344Z" fill="var(--scene-3)" />
      <path d="M195 324H445L442 344Q440 360 424 360H216Q200 360 198 344Z" fill="var(--scene-2)" />
      <path d="M406 191Q438 188 466 182L442 344Q440 360 424 360H370Q410 290 406 191Z" fill="var(--scene-6)" fillOpacity=".14" />
      <path d="M180 196Q320 220 460 196" stroke="var(--scene-5)" strokeWidth="3" strokeDasharray="8 7" />

      {/* A ticket and a pair of pruners in the pockets */}
      <g transform="rotate(-9 318 236)">
        <path d="M292 206H346V218A5 5 0 0 0 346 228V270H292V228A5 5 0 0 0 292 218Z" fill="var(--accent)" />
        <path d="M300 223H338" stroke="var(--accent-ink)" strokeWidth="2.5" strokeDasharray="1 6" />
        <path d="M308 234H330" stroke="var(--accent-ink)" strokeWidth="4" />
      </g>
      <path d="M272 244Q320 250 368 244L364 324H276Z" fill="var(--scene-3)" />
      <path d="M272 244Q320 250 368 244L364 324H276Z" fill="var(--scene-5)" fillOpacity=".3" />
      <path d="M274 256Q320 262 366 256" stroke="var(--scene-5)" strokeWidth="3" strokeDasharray="8 7" />
      {/* Front handle */}
      <path d="M258 324V198C262 92 378 92 382 198V324" stroke="var(--scene-4)" strokeWidth="14" strokeLinecap="butt" />
      <path d="M252 300H264M376 300H388M252 232H264M376 232H388" stroke="var(--scene-6)" strokeOpacity=".5" strokeWidth="3" />

      {/* A glove over the rim */}
      <path
        d="M400 186L440 181L443 206C458 216 462 232 454 238C448 242 444 232 440 228C444 244 442 262 434 262C429 262 428 256 427 248C427 262 424 270 417 270C411 270 410 262 411 250C408 260 405 264 400 262C392 258 398 234 402 212Z"
        fill="var(--scene-1)"
      />
      <path d="M399 184L440 179L442 196L401 201Z" fill="var(--scene-4)" />
      <path d="M411 250L413 234M427 248L427 232" stroke="var(--scene-2)" strokeWidth="2.5" />

      {/* Seed packet, leaning */}
      <g transform="rotate(9 190 320)">
        <path d="M178 266H234V350H178Z" fill="var(--scene-1)" />
        <path d="M178 266H234V280H178Z" fill="var(--scene-2)" />
        <ellipse cx="206" cy="316" rx="22" ry="29" fill="var(--scene-3)" />
        <path d="M206 307C191 305 193 324 206 339C219 324 221 305 206 307Z" fill="var(--scene-4)" />
        <path d="M206 306L199 296M206 306V293M206 306L213 296" stroke="var(--scene-2)" strokeWidth="4" />
      </g>

      {/* Pot with a sprout */}
      <path d="M128 292C128 270 130 256 128 240" stroke="var(--scene-2)" strokeWidth="6" />
      <use href="#tool-bag-leaf" transform="translate(128 252)rotate(-50)scale(1.05)" />
      <use href="#tool-bag-leaf" transform="translate(128 258)rotate(46)scale(.9)" />
      <path d="M88 296H168L159 352Q158 362 148 362H108Q98 362 97 352Z" fill="var(--scene-4)" />
      <path d="M82 282H174V304H82Z" fill="var(--scene-4)" />
      <path d="M88 304H168L167 312H89ZM146 282H174V304H168L159 352Q158 362 148 362H134Q148 330 146 282Z" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Trowel, standing in a heap of soil */}
      <g transform="rotate(17 530 352)">
        <path d="M530 222V262" stroke="var(--scene-5)" strokeWidth="18" />
        <path d="M536 222V262" stroke="var(--scene-6)" strokeOpacity=".2" strokeWidth="6" />
        <path d="M530 270V300" stroke="var(--ink-2)" strokeWidth="8" />
        <path d="M524 268H536" stroke="var(--scene-4)" strokeWidth="9" />
        <path d="M506 298Q530 280 554 298L546 344H514Z" fill="var(--ink-2)" />
        <path d="M506 298Q518 289 530 289V344H514Z" fill="var(--scene-3)" fillOpacity=".35" />
      </g>
      <path d="M446 362C462 344 478 348 490 336C504 324 526 322 540 334C550 342 562 344 574 362Z" fill="var(--scene-5)" />
      <path d="M528 328C534 329 537 331 540 334C550 342 562 344 574 362H530C544 350 540 338 528 328Z" fill="var(--scene-6)" fillOpacity=".3" />
      <path d="M478 354H480M498 346H500M516 356H518" stroke="var(--scene-6)" strokeOpacity=".5" strokeWidth="5" />
    </svg>
  );
}
