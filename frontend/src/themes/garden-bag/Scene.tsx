/** A canvas tool bag with seedlings and hand tools. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="garden-bag-leaf">
          <path d="M0 0C-20-14-21-42 0-62C21-42 20-14 0 0Z" fill="var(--scene-1)" />
          <path d="M0 0C20-14 21-42 0-62Z" fill="var(--scene-2)" />
        </g>
      </defs>
      <circle cx="322" cy="194" r="182" fill="var(--paper-2)" />
      <ellipse cx="324" cy="362" rx="270" ry="16" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Back handle and the inside of the bag */}
      <path d="M262 180C268 108 372 108 378 180" stroke="var(--scene-6)" strokeWidth="13" />
      <path d="M174 182Q320 152 466 182L440 250H200Z" fill="var(--scene-6)" />

      {/* Hand fork */}
      <g transform="rotate(15 420 220)">
        <path d="M420 250V122" stroke="var(--scene-5)" strokeWidth="18" />
        <path d="M426 250V122" stroke="var(--scene-6)" strokeOpacity=".2" strokeWidth="6" />
        <path d="M420 128V50M396 46V78C396 104 444 104 444 78V46" stroke="var(--scene-6)" strokeWidth="7" />
        <path d="M412 126H428" stroke="var(--scene-4)" strokeWidth="12" />
      </g>

      {/* Seedlings */}
      <path
        d="M300 210C304 150 296 100 300 66M228 210C228 180 222 150 208 126M356 214C354 190 360 160 372 140"
        stroke="var(--scene-2)"
        strokeWidth="6"
      />
      <use href="#garden-bag-leaf" transform="translate(300 84)scale(1.05)" />
      <use href="#garden-bag-leaf" transform="translate(300 104)rotate(60)scale(1.1)" />
      <use href="#garden-bag-leaf" transform="translate(300 116)rotate(-64)scale(1.15)" />
      <use href="#garden-bag-leaf" transform="translate(302 152)rotate(66)" />
      <use href="#garden-bag-leaf" transform="translate(301 172)rotate(-50)scale(1.1)" />
      <use href="#garden-bag-leaf" transform="translate(210 132)rotate(-24)" />
      <use href="#garden-bag-leaf" transform="translate(220 150)rotate(-82)" />
      <use href="#garden-bag-leaf" transform="translate(226 166)rotate(34)" />
      <use href="#garden-bag-leaf" transform="translate(370 146)rotate(22)scale(.9)" />
      <use href="#garden-bag-leaf" transform="translate(360 172)rotate(-36)scale(.7)" />

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

      {/* Seed packet, leaning */}
      <g transform="rotate(9 190 320)">
        <path d="M178 266H234V350H178Z" fill="var(--paper)" />
        <path d="M178 266H234V284H178Z" fill="var(--scene-1)" />
        <path d="M206 306C188 304 190 326 206 342C222 326 224 304 206 306Z" fill="var(--scene-4)" />
        <path d="M206 306L198 292M206 306V290M206 306L214 292" stroke="var(--scene-2)" strokeWidth="4" />
      </g>

      {/* Pot with a sprout */}
      <path d="M128 292C128 270 130 256 128 240" stroke="var(--scene-2)" strokeWidth="6" />
      <use href="#garden-bag-leaf" transform="translate(128 252)rotate(-50)scale(1.05)" />
      <use href="#garden-bag-leaf" transform="translate(128 258)rotate(46)scale(.9)" />
      <path d="M88 296H168L159 352Q158 362 148 362H108Q98 362 97 352Z" fill="var(--scene-4)" />
      <path d="M82 282H174V304H82Z" fill="var(--scene-4)" />
      <path d="M88 304H168L167 312H89ZM146 282H174V304H168L159 352Q158 362 148 362H134Q148 330 146 282Z" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Trowel on the ground */}
      <g transform="rotate(-16 520 340)">
        <path d="M558 340H612" stroke="var(--scene-5)" strokeWidth="18" />
        <path d="M536 340H560" stroke="var(--scene-6)" strokeWidth="8" />
        <path d="M452 340C470 318 510 314 536 320V360C510 366 470 362 452 340Z" fill="var(--scene-6)" />
        <path d="M452 340C470 318 510 314 536 320V340Z" fill="var(--scene-3)" fillOpacity=".3" />
      </g>
    </svg>
  );
}
