/** Tomato and basil pots on a sunny sill. */
export function Scene() {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true" focusable="false" fill="none" strokeLinecap="round">
      <defs>
        <path id="kitchen-garden-lobed" d="M0 0C-8-6-24-4-26-16C-18-16-14-20-18-26C-26-30-24-42-20-46C-14-42-10-44-8-50C-8-60-4-66 0-70C4-66 8-60 8-50C10-44 14-42 20-46C24-42 26-30 18-26C14-20 18-16 26-16C24-4 8-6 0 0Z" fill="var(--scene-2)" />
        <g id="kitchen-garden-basil">
          <path d="M0 0C-26-6-28-40 0-58C28-40 26-6 0 0Z" fill="var(--scene-5)" />
          <path d="M0 0C26-6 28-40 0-58Z" fill="var(--scene-2)" />
        </g>
        <g id="kitchen-garden-tomato">
          <circle r="27" fill="var(--scene-1)" />
          <path d="M12-24A27 27 0 1 1-20 18Q22 20 12-24Z" fill="var(--scene-6)" fillOpacity=".2" />
          <path d="M-14-8Q-12-15-6-17" stroke="var(--scene-3)" strokeWidth="5" />
          <path d="M0-34L4-25L16-28L9-19L14-12L3-17L-4-9L-5-18L-17-19L-6-25Z" fill="var(--scene-2)" />
        </g>
        <g id="kitchen-garden-pot">
          <path d="M-50-74H50L40-10Q38 0 28 0H-28Q-38 0-40-10Z" fill="var(--scene-4)" />
          <path d="M-58-92H58V-68H-58Z" fill="var(--scene-4)" />
          <path d="M-51-68H51L49-58H-49ZM24-92H58V-68H51L40-10Q38 0 28 0H8Q28-36 24-92Z" fill="var(--scene-6)" fillOpacity=".18" />
        </g>
      </defs>
      {/* Window */}
      <path d="M132 344V150Q132 20 320 20Q508 20 508 150V344Z" fill="var(--paper-2)" />
      <path d="M320 20V344M132 176H508" stroke="var(--paper)" strokeWidth="12" />

      {/* Tomato */}
      <path d="M262 260V66" stroke="var(--scene-5)" strokeWidth="8" />
      <path d="M254 262C250 200 276 150 258 76M258 170C230 160 220 150 208 138M262 200C296 190 306 176 318 168" stroke="var(--scene-2)" strokeWidth="6" />
      <use href="#kitchen-garden-lobed" transform="translate(258 88)rotate(8)" />
      <use href="#kitchen-garden-lobed" transform="translate(260 110)rotate(66)" />
      <use href="#kitchen-garden-lobed" transform="translate(262 120)rotate(-62)" />
      <use href="#kitchen-garden-lobed" transform="translate(212 142)rotate(-66)" />
      <use href="#kitchen-garden-lobed" transform="translate(312 172)rotate(52)" />
      <use href="#kitchen-garden-lobed" transform="translate(256 230)rotate(-76)" />
      <use href="#kitchen-garden-lobed" transform="translate(256 232)rotate(70)" />
      <use href="#kitchen-garden-tomato" transform="translate(218 186)" />
      <use href="#kitchen-garden-tomato" transform="translate(304 212)" />
      <use href="#kitchen-garden-tomato" transform="translate(262 152)scale(.8)" />

      {/* Sill */}
      <path d="M56 340H584V362H56Z" fill="var(--scene-3)" />
      <path d="M76 362H564V374H76Z" fill="var(--scene-6)" fillOpacity=".3" />

      {/* Basil */}
      <path d="M410 262V170M390 262V210M434 262V200" stroke="var(--scene-2)" strokeWidth="6" />
      <use href="#kitchen-garden-basil" transform="translate(410 190)" />
      <use href="#kitchen-garden-basil" transform="translate(410 196)rotate(-62)" />
      <use href="#kitchen-garden-basil" transform="translate(410 196)rotate(62)" />
      <use href="#kitchen-garden-basil" transform="translate(390 236)rotate(-74)" />
      <use href="#kitchen-garden-basil" transform="translate(434 236)rotate(74)" />
      <use href="#kitchen-garden-basil" transform="translate(396 246)rotate(-28)scale(.9)" />
      <use href="#kitchen-garden-basil" transform="translate(426 246)rotate(28)scale(.9)" />

      <use href="#kitchen-garden-pot" transform="translate(258 342)scale(1.1)" />
      <use href="#kitchen-garden-pot" transform="translate(412 342)scale(.95)" />
      <use href="#kitchen-garden-tomato" transform="translate(500 316)" />
    </svg>
  );
}
