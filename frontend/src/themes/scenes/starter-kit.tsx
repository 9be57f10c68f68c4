/** A glass jar, bamboo brushes, soap and a cotton bag with the shopping. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <path id="starter-kit-leaf" d="M0 0C-18-14-18-42 0-62C18-42 18-14 0 0Z" />
      </defs>
      <circle cx="324" cy="186" r="178" fill="var(--paper-2)" />
      <ellipse cx="326" cy="360" rx="280" ry="18" fill="var(--line)" />
      <path d="M90 360H540L590 365Q330 378 82 365Z" fill="var(--scene-6)" fillOpacity=".2" />

      {/* Loaf and greens in the bag */}
      <path d="M356 168C362 60 462 60 468 168" stroke="var(--scene-6)" strokeOpacity=".35" strokeWidth="11" />
      <g stroke="var(--scene-5)" strokeWidth="7">
        <path d="M424 190L408 120M438 190L446 110M452 190L480 130" />
      </g>
      <g fill="var(--scene-1)">
        <use href="#starter-kit-leaf" transform="translate(410 134)rotate(-16)scale(1.4)" />
        <use href="#starter-kit-leaf" transform="translate(476 138)rotate(30)scale(1.3)" />
      </g>
      <use href="#starter-kit-leaf" transform="translate(444 132)rotate(6)scale(1.8)" fill="var(--scene-2)" />
      <path d="M408 128L392 66M446 128L456 40M478 132L504 82" stroke="var(--scene-5)" strokeWidth="3" />
      <path d="M354 206L324 72Q318 42 340 38Q362 34 370 62L404 206Z" fill="var(--scene-3)" />
      <path d="M352 38Q364 42 370 62L404 206H384Q372 110 352 38Z" fill="var(--scene-6)" fillOpacity=".16" />
      <path d="M334 76Q348 74 354 62M342 108Q356 106 363 94M350 140Q364 138 371 126" stroke="var(--scene-4)" strokeWidth="6" />

      {/* Cotton bag */}
      <path d="M328 168H500L516 344Q517 360 502 360H326Q311 360 312 344Z" fill="var(--scene-4)" />
      <path d="M468 168H500L516 344Q517 360 502 360H442Q478 280 468 168Z" fill="var(--scene-6)" fillOpacity=".13" />
      <path d="M328 168H500L501 180H327Z" fill="var(--scene-6)" fillOpacity=".1" />
      <path d="M362 186V176C366 78 458 78 464 176V186" stroke="var(--scene-4)" strokeWidth="12" />
      <path d="M357 178L367 188M367 178L357 188M459 178L469 188M469 178L459 188" stroke="var(--scene-1)" strokeWidth="2.5" />
      <g fill="var(--scene-2)">
        <use href="#starter-kit-leaf" transform="translate(418 306)scale(1.1)" />
        <use href="#starter-kit-leaf" transform="translate(418 310)rotate(-58)scale(.8)" />
        <use href="#starter-kit-leaf" transform="translate(418 310)rotate(58)scale(.8)" />
      </g>
      <path d="M418 334V256" stroke="var(--scene-2)" strokeWidth="5" />

      {/* Jar with oats */}
      <path d="M170 152Q146 164 146 192V334Q146 360 172 360H276Q302 360 302 334V192Q302 164 278 152Z" fill="var(--scene-5)" />
      <path d="M154 228Q190 214 224 222Q262 232 294 218V332Q294 352 274 352H174Q154 352 154 332Z" fill="var(--scene-3)" />
      <path
        d="M176 246H180M206 238H212M240 250H246M270 240H276M190 272H196M226 276H232M260 270H266M172 304H178M208 306H212M244 302H250M274 308H278M186 332H192M226 334H232M262 332H268"
        stroke="var(--scene-4)"
        strokeWidth="7"
      />
      <path d="M266 154L278 152Q302 164 302 192V334Q302 360 276 360H240Q290 320 278 210Z" fill="var(--scene-6)" fillOpacity=".16" />
      <path d="M166 190V300M166 318V324" stroke="var(--scene-4)" strokeOpacity=".8" strokeWidth="8" />
      {/* Clip lid */}
      <path d="M168 114Q168 94 192 94H256Q280 94 280 114V130H168Z" fill="var(--scene-5)" />
      <path d="M252 94H256Q280 94 280 114V130H258Q264 110 252 94Z" fill="var(--scene-6)" fillOpacity=".16" />
      <path d="M164 130H284V141H164Z" fill="var(--scene-2)" />
      <path d="M170 141H278V154H170Z" fill="var(--scene-5)" />
      <path d="M182 116Q182 105 194 105H206" stroke="var(--scene-4)" strokeOpacity=".8" strokeWidth="6" />
      <path d="M168 136H154V160M280 136H296V172L286 184M164 148H284" stroke="var(--ink-2)" strokeWidth="5" strokeLinejoin="round" />

      {/* A ticket tied to the neck */}
      <path d="M216 148C208 164 214 172 216 184" stroke="var(--scene-3)" strokeWidth="4" />
      <g transform="rotate(-8 216 210)">
        <path d="M184 182H248V203A8 8 0 0 0 248 219V240H184V219A8 8 0 0 0 184 203Z" fill="var(--accent)" />
        <path d="M196 211H236" stroke="var(--accent-ink)" strokeWidth="2.5" strokeDasharray="1 6" />
        <path d="M200 196H226M200 227H214" stroke="var(--accent-ink)" strokeWidth="4" />
      </g>

      {/* Toothbrushes in a cup */}
      <path d="M312 320L272 166M326 320L362 178" stroke="var(--scene-3)" strokeWidth="10" />
      <path d="M290 196L281 167M344 206L352 177" stroke="var(--scene-2)" strokeWidth="12" strokeLinecap="butt" />
      <path d="M282 286H358L350 350Q349 360 340 360H300Q291 360 290 350Z" fill="var(--scene-1)" />
      <path d="M334 286H358L350 350Q349 360 340 360H322Q338 330 334 286Z" fill="var(--scene-6)" fillOpacity=".25" />
      <path d="M284 300H356" stroke="var(--scene-4)" strokeWidth="4" strokeLinecap="butt" />

      {/* Soap */}
      <path d="M84 334Q84 326 92 326H162Q170 326 170 334V352Q170 360 162 360H92Q84 360 84 352Z" fill="var(--scene-5)" />
      <path d="M96 302Q96 294 104 294H158Q166 294 166 302V318Q166 326 158 326H104Q96 326 96 318Z" fill="var(--scene-1)" />
      <path d="M112 326H142V360H112ZM116 294H146V326H116Z" fill="var(--scene-3)" />
      <path d="M152 294H158Q166 294 166 302V318Q166 326 158 326H162Q170 326 170 334V352Q170 360 162 360H146Q160 330 152 294Z" fill="var(--scene-6)" fillOpacity=".18" />

      {/* Dish brush, leaning on the bag */}
      <g transform="rotate(-14 546 340)">
        <path d="M546 306V178" stroke="var(--scene-3)" strokeWidth="16" />
        <path d="M551 306V184" stroke="var(--scene-6)" strokeOpacity=".18" strokeWidth="6" />
        <path d="M546 180V184" stroke="var(--scene-6)" strokeOpacity=".6" strokeWidth="5" />
        <path d="M516 330H576L584 360H508Z" fill="var(--scene-1)" />
        <path d="M522 336L516 356M536 336L533 356M550 336V356M564 336L568 356" stroke="var(--scene-6)" strokeOpacity=".3" strokeWidth="3" />
        <path d="M510 322Q512 302 546 302Q580 302 582 322V334H510Z" fill="var(--scene-3)" />
        <path d="M556 302Q581 304 582 322V334H560Z" fill="var(--scene-6)" fillOpacity=".18" />
      </g>
    </svg>
  );
}
