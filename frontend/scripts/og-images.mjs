/**
 * Draws the raster images in public/ from the scenes, the palettes and favicon.svg:
 * og-{scene}.png and og-generic.png (1200 by 630), favicon.ico and apple-touch-icon.png.
 *
 *   node scripts/og-images.mjs        (in frontend/, after npm ci)
 *
 * Run it after changing a scene, a light palette or the icon, and commit the images.
 * Needs Debian's chromium (or the path in CHROMIUM) and pngquant.
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const publicFile = (name) => `${root}/public/${name}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  await drawPreviews(await loadScenes());
  await drawIcons(await readFile(publicFile('favicon.svg'), 'utf8'));
} finally {
  await browser.close();
}

/** The scenes are TypeScript with JSX: vite, which the tests bring along, compiles them. */
async function loadScenes() {
  const vite = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    return await vite.ssrLoadModule('/src/themes/scenes/index.ts');
  } finally {
    await vite.close();
  }
}

/** Scenes that have an image of their own, with the palette that it has. All others share the generic one. */
async function drawPreviews({ scenes, GenericScene }) {
  const own = [
    ['tool-bag', 'clay'],
    ['cocktail', 'mint'],
    ['kitchen-herbs', 'tomato'],
    ['starter-kit', 'lagoon'],
  ];
  const css = await previewCss();
  for (const [scene, palette] of own) {
    await writePreview(scene, preview(css, palette, scenes[scene], 'Free Monthly Raffle'));
  }
  await writePreview('generic', preview(css, 'generic', GenericScene, 'Free Monthly Raffles'));
}

async function writePreview(name, markup) {
  await writeFile(publicFile(`og-${name}.png`), smaller(await screenshot(markup, 1200, 630)));
}

async function previewCss() {
  const font = await readFile(
    `${root}/node_modules/@fontsource/caprasimo/files/caprasimo-latin-400-normal.woff2`,
    'base64',
  );
  return `
    ${await readFile(`${root}/src/themes/palettes.css`, 'utf8')}
    @font-face { font-family: Title; src: url(data:font/woff2;base64,${font}); }
    body { margin: 0; width: 1200px; height: 630px; background: var(--accent); color: var(--ink);
      font: 28px/1.3 'Liberation Sans', Arial, sans-serif; }
    main { position: absolute; inset: 32px; display: grid; grid-template-columns: 500px 1fr;
      align-items: center; border-radius: 16px; background: var(--paper); }
    main::before, main::after { content: ''; position: absolute; left: 478px; width: 44px; height: 44px;
      border-radius: 50%; background: var(--accent); }
    main::before { top: -22px; }
    main::after { bottom: -22px; }
    .stub { box-sizing: border-box; height: 470px; padding: 8px 28px 8px 52px; display: flex;
      flex-direction: column; border-right: 4px dotted var(--line); }
    h1 { margin: auto 0 28px; font: 76px/1.08 Title; }
    .free { margin: 0 0 auto; color: var(--accent); font-weight: bold; font-size: 32px; }
    svg { display: block; width: 600px; margin: auto; }`;
}

/** Without the name of the site, which each server chooses, and without a prize: a scene can stand for any (D58). */
function preview(css, palette, Scene, title) {
  return `<!doctype html><style>${css}</style>
    <body data-palette="${palette}"><main>
      <div class="stub">
        <h1>${title}</h1>
        <p class="free">No Purchase Required</p>
      </div>
      ${renderToStaticMarkup(createElement(Scene))}
    </main>`;
}

async function drawIcons(svg) {
  const sizes = [16, 32, 48];
  const images = [];
  for (const size of sizes) {
    images.push(await screenshot(iconPage(svg, size, 'transparent', 0), size, size));
  }
  await writeFile(publicFile('favicon.ico'), ico(sizes, images));
  // iOS fills transparency with black, so the touch icon brings its own ground.
  await writeFile(
    publicFile('apple-touch-icon.png'),
    await screenshot(iconPage(svg, 180, '#fbeed2', 18), 180, 180),
  );
}

function iconPage(svg, size, ground, margin) {
  return `<!doctype html><style>
    body { margin: ${margin}px; background: ${ground}; }
    svg { display: block; width: ${size - 2 * margin}px; height: ${size - 2 * margin}px; }
  </style>${svg}`;
}

/** An .ico is a directory of sizes, here each with a PNG behind it. */
function ico(sizes, images) {
  const header = Buffer.alloc(6 + 16 * sizes.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(sizes.length, 4);
  let offset = header.length;
  sizes.forEach((size, index) => {
    const entry = 6 + 16 * index;
    header.writeUInt8(size, entry);
    header.writeUInt8(size, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(images[index].length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += images[index].length;
  });
  return Buffer.concat([header, ...images]);
}

/** Flat drawings lose nothing that shows when cut to 256 colors, and halve in size. */
function smaller(png) {
  return execFileSync('pngquant', ['--speed', '1', '--nofs', '--strip', '256', '-'], {
    input: png,
  });
}

async function screenshot(html, width, height) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  const image = await page.screenshot({ omitBackground: true });
  await page.close();
  return image;
}
