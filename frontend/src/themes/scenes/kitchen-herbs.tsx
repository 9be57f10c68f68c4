/** Tomato and basil pots on a sunny sill. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <path id="kitchen-herbs-lobed" d="M0 0C-8-6-24-4-26-16C-18-16-14-20-18-26C-26-30-24-42-20-46C-14-42-10-44-8-50C-8-60-4-66 0-70C4-66 8-60 8-50C10-44 14-42 20-46C24-42 26-30 18-26C14-20 18-16 26-16C24-4 8-6 0 0Z" fill="var(--scene-2)" />
        <g id="kitchen-herbs-tomato-leaf">
          <use href="#kitchen-herbs-lobed" />
          <path d="M0-2V-54M0-20L-14-30M0-20L14-30" stroke="var(--scene-5)" strokeOpacity=".6" strokeWidth="2.5" />
        </g>
        <g id="kitchen-herbs-basil">
          <path d="M0 0C-28-6-30-42 0-60C30-42 28-6 0 0Z" fill="var(--scene-5)" />
          <path d="M0 0C28-6 30-42 0-60Z" fill="var(--scene-2)" />
          <path d="M0-14L-13-24M0-28L-13-38" stroke="var(--scene-2)" strokeWidth="2" />
        </g>
        <g id="kitchen-herbs-tomato">
          <path d="M0 27C-17 27-30 16-30-1C-30-18-17-26 0-24C17-26 30-18 30-1C30 16 17 27 0 27Z" fill="var(--scene-1)" />
          <path d="M16-23C25-20 30-12 30-1C30 16 17 27 0 27C-10 27-19 23-25 16C6 22 24 6 16-23Z" fill="var(--scene-6)" fillOpacity=".2" />
          <path d="M-19-4Q-17-12-10-15" stroke="var(--scene-3)" strokeWidth="5" />
          <path d="M1-36L4-25L17-27L10-19L14-11L3-17L-4-8L-6-18L-18-18L-7-24L-3-26Z" fill="var(--scene-2)" />
        </g>
        <g id="kitchen-herbs-pot">
          <path d="M-58-92H58V-68H51L40-10Q38 0 28 0H-28Q-38 0-40-10L-51-68H-58Z" fill="var(--scene-4)" />
          <path d="M-51-68H51L49-58H-49ZM24-92H58V-68H51L40-10Q38 0 28 0H4Q28-36 24-92Z" fill="var(--scene-6)" fillOpacity=".18" />
          <path d="M-44-80H-6" stroke="var(--scene-3)" strokeOpacity=".4" strokeWidth="5" />
        </g>
      </defs>
      {/* Window */}
      <path d="M128 344V154Q128 14 320 14Q512 14 512 154V344Z" fill="var(--paper-2)" />
      <path d="M320 14V344M128 178H512" stroke="var(--paper)" strokeWidth="12" />

      {/* Watering can */}
      <path d="M130 316L74 244" stroke="var(--scene-2)" strokeWidth="14" />
      <path d="M122 252C122 202 190 202 194 252" stroke="var(--scene-2)" strokeWidth="10" />
      <path d="M56 252L82 228L92 240L66 264Z" fill="var(--scene-2)" />
      <path d="M112 246H202L210 342H104Z" fill="var(--scene-2)" />
      <path d="M174 246H202L210 342H150Q182 306 174 246Z" fill="var(--scene-6)" fillOpacity=".2" />
      <path d="M112 256H203M106 328H209" stroke="var(--scene-3)" strokeWidth="5" strokeLinecap="butt" />
      <path d="M130 272L126 306" stroke="var(--scene-3)" strokeOpacity=".5" strokeWidth="6" />

      {/* Tomato */}
      <path d="M270 260V40" stroke="var(--scene-4)" strokeWidth="8" />
      <path
        d="M262 262C252 200 284 150 264 76M264 166C240 160 226 148 214 134M268 196C300 192 316 176 330 166M260 236C276 226 292 218 300 196"
        stroke="var(--scene-2)"
        strokeWidth="6"
      />
      <path d="M262 128H280M260 210H278" stroke="var(--scene-3)" strokeWidth="5" />
      <use href="#kitchen-herbs-tomato-leaf" transform="translate(264 88)rotate(-10)" />
      <use href="#kitchen-herbs-tomato-leaf" transform="translate(266 106)rotate(64)scale(1.05)" />
      <use href="#kitchen-herbs-tomato-leaf" transform="translate(268 118)rotate(-66)scale(1.1)" />
      <use href="#kitchen-herbs-tomato-leaf" transform="translate(218 138)rotate(-56)scale(1.05)" />
      <use href="#kitchen-herbs-tomato-leaf" transform="translate(324 170)rotate(46)" />
      <use href="#kitchen-herbs-tomato-leaf" transform="translate(262 238)rotate(-78)" />
      <use href="#kitchen-herbs-tomato-leaf" transform="translate(266 244)rotate(82)scale(.9)" />
      <use href="#kitchen-herbs-tomato" transform="translate(224 190)" />
      <use href="#kitchen-herbs-tomato" transform="translate(308 218)rotate(8)" />
      <use href="#kitchen-herbs-tomato" transform="translate(264 158)scale(.82)" />

      {/* Sill */}
      <path d="M44 340H596V350H44Z" fill="var(--scene-3)" />
      <path d="M52 350H588V368H52Z" fill="var(--scene-3)" />
      <path d="M52 350H588V368H52Z" fill="var(--scene-4)" fillOpacity=".5" />
      <path d="M52 350H588V354H52Z" fill="var(--scene-6)" fillOpacity=".3" />

      <path d="M104 342H330L344 348H112ZM384 342H566L572 348H392Z" fill="var(--scene-6)" fillOpacity=".2" />

      {/* Basil, with a ticket for a label */}
      <path d="M424 262V168M398 262V210M450 262V206" stroke="var(--scene-2)" strokeWidth="6" />
      <use href="#kitchen-herbs-basil" transform="translate(424 186)scale(1.1)" />
      <use href="#kitchen-herbs-basil" transform="translate(424 196)rotate(-60)scale(1.1)" />
      <use href="#kitchen-herbs-basil" transform="translate(424 196)rotate(60)scale(1.1)" />
      <use href="#kitchen-herbs-basil" transform="translate(402 240)rotate(-76)scale(1.1)" />
      <use href="#kitchen-herbs-basil" transform="translate(446 240)rotate(76)scale(1.1)" />
      <use href="#kitchen-herbs-basil" transform="translate(410 250)rotate(-26)" />
      <use href="#kitchen-herbs-basil" transform="translate(440 250)rotate(26)" />
      <path d="M466 262L478 190" stroke="var(--scene-4)" strokeWidth="7" />
      <g transform="rotate(9 486 190)">
        <path d="M450 170H522V182A8 8 0 0 0 522 198V210H450V198A8 8 0 0 0 450 182Z" fill="var(--accent)" />
        <path d="M506 175V205" stroke="var(--accent-ink)" strokeWidth="2.5" strokeDasharray="1 6" />
        <path d="M466 184H492M466 196H482" stroke="var(--accent-ink)" strokeWidth="4" />
      </g>

      <use href="#kitchen-herbs-pot" transform="translate(264 342)scale(1.12)" />
      <use href="#kitchen-herbs-pot" transform="translate(424 342)" />
      <use href="#kitchen-herbs-tomato" transform="translate(534 315)rotate(-14)" />
      <use href="#kitchen-herbs-tomato" transform="translate(498 322)rotate(20)scale(.76)" />
    </svg>
  );
}
