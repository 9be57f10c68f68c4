/** A wrapped box with a bow, a small box beside it, and a ticket on a ribbon. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <g id="gift-box-twig">
          <path d="M0 0C2-26-2-52 4-78" stroke="var(--scene-2)" strokeWidth="5" />
          <path d="M0-18C-18-20-26-34-26-48C-10-46 0-36 0-18ZM2-40C-14-44-20-56-18-70C-4-66 4-56 2-40Z" fill="var(--scene-1)" />
          <path d="M0-26C16-28 26-40 26-54C10-52 0-42 0-26ZM3-58C-6-68-4-82 4-92C14-82 14-68 3-58Z" fill="var(--scene-2)" />
        </g>
      </defs>
      <circle cx="320" cy="186" r="178" fill="var(--paper-2)" />
      <ellipse cx="322" cy="360" rx="270" ry="18" fill="var(--line)" />
      <path d="M108 360H452L496 364Q300 378 96 365Z" fill="var(--scene-6)" fillOpacity=".22" />

      {/* Twigs behind the box */}
      <use href="#gift-box-twig" transform="translate(186 222)rotate(-34)scale(1.25)" />
      <use href="#gift-box-twig" transform="translate(202 206)rotate(-8)scale(1.1)" />
      <use href="#gift-box-twig" transform="translate(450 216)rotate(30)scale(1.2)" />

      {/* Box: paper with stripes, shaded side */}
      <path d="M188 190H448V348Q448 360 436 360H200Q188 360 188 348Z" fill="var(--scene-3)" />
      <path d="M216 190V360M248 190V360M388 190V360M420 190V360" stroke="var(--scene-5)" strokeOpacity=".35" strokeWidth="5" strokeLinecap="butt" />
      <path d="M404 190H448V348Q448 360 436 360H380Q406 290 404 190Z" fill="var(--scene-6)" fillOpacity=".14" />
      <path d="M292 190H344V360H292Z" fill="var(--scene-4)" />
      <path d="M334 190H344V360H334Z" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Lid */}
      <path d="M182 142H454Q464 142 464 152V190H172V152Q172 142 182 142Z" fill="var(--scene-1)" />
      <path d="M420 142H454Q464 142 464 152V190H410Q420 168 420 142Z" fill="var(--scene-6)" fillOpacity=".16" />
      <path d="M288 142H348V190H288Z" fill="var(--scene-4)" />
      <path d="M188 190H448V202H188Z" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Bow */}
      <path d="M318 140C282 150 218 140 208 104C202 78 226 66 252 74C290 86 312 116 318 140Z" fill="var(--scene-4)" />
      <path d="M318 140C354 150 418 140 428 104C434 78 410 66 384 74C346 86 324 116 318 140Z" fill="var(--scene-4)" />
      <path d="M312 132C286 132 240 124 236 104C234 92 246 90 258 96C282 106 302 120 312 132ZM324 132C350 132 396 124 400 104C402 92 390 90 378 96C354 106 334 120 324 132Z" fill="var(--scene-6)" fillOpacity=".28" />
      <path d="M310 142C294 166 280 180 258 192L250 172L272 170C288 162 300 154 308 140ZM326 142C342 166 356 180 378 192L386 172L364 170C348 162 336 154 328 140Z" fill="var(--scene-4)" />
      <path d="M310 142C294 166 280 180 258 192L256 186C280 174 296 160 308 140Z" fill="var(--scene-6)" fillOpacity=".2" />
      <path d="M302 124Q318 114 334 124L338 144Q318 158 298 144Z" fill="var(--scene-4)" />
      <path d="M302 124Q318 114 334 124L338 144Q318 158 298 144Z" fill="var(--scene-6)" fillOpacity=".14" />

      {/* A ticket on a thread */}
      <path d="M344 232C370 232 372 240 384 254" stroke="var(--scene-6)" strokeOpacity=".6" strokeWidth="3" />
      <g transform="rotate(12 396 280)">
        <path d="M368 262H430V274A6 6 0 0 0 430 286V304H368V286A6 6 0 0 0 368 274Z" fill="var(--accent)" />
        <path d="M414 268V298" stroke="var(--accent-ink)" strokeWidth="2.5" strokeDasharray="1 6" />
        <path d="M379 277H401M379 289H394" stroke="var(--accent-ink)" strokeWidth="4" />
      </g>

      {/* Small box */}
      <path d="M84 292H196V352Q196 362 186 362H94Q84 362 84 352Z" fill="var(--scene-2)" />
      <path d="M76 268H204V296H76Z" fill="var(--scene-2)" />
      <path d="M84 296H196V304H84ZM174 268H204V296H196V352Q196 362 186 362H158Q174 330 174 268Z" fill="var(--scene-6)" fillOpacity=".2" />
      <path d="M130 268V362" stroke="var(--scene-3)" strokeWidth="16" strokeLinecap="butt" />
      <path d="M130 266C114 272 90 264 94 248C98 236 122 246 130 266ZM130 266C146 272 170 264 166 248C162 236 138 246 130 266Z" fill="var(--scene-3)" />

      {/* A roll of ribbon and its end */}
      <path d="M534 362C560 350 578 362 596 350" stroke="var(--scene-4)" strokeWidth="9" />
      <circle cx="520" cy="328" r="34" fill="var(--scene-4)" />
      <circle cx="520" cy="328" r="22" stroke="var(--scene-6)" strokeOpacity=".25" strokeWidth="3" />
      <circle cx="520" cy="328" r="12" fill="var(--scene-3)" />
      <path d="M544 304A34 34 0 0 1 520 362Q548 346 544 304Z" fill="var(--scene-6)" fillOpacity=".2" />
    </svg>
  );
}
