import subsetFont from 'subset-font';

// Titles are written in ASCII with a few typographic signs; everything else falls back to the system face.
const glyphs =
  Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('') + '‘’“”–—…·×';

/** A webpack loader: keeps only the glyphs that titles use, which more than halves the download. */
export default function subsetFontLoader(source) {
  const done = this.async();
  subsetFont(source, glyphs, { targetFormat: 'woff2' }).then((font) => done(null, font), done);
}
export const raw = true;
