// After webpack: writes every page, its entry in dist/pages.json, and what the server serves beside them.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { buildDir, distDir, publicDir } from './paths.mjs';

const { pages, adminPages, notFoundPage, pictures, preview, previewCss, early } = createRequire(
  import.meta.url,
)(join(buildDir, 'prerender.cjs'));

const built = await builtAssets();
const assets = { ...built, preview: await writePreview(built) };
const images = await copyPublicFiles();
const written = await Promise.all([...pages(assets), ...adminPages(assets)].map(write));
const notFound = await write(notFoundPage(assets));
const scenes = Object.fromEntries(
  Object.entries(pictures()).map(([name, { svg, image }]) => [
    name,
    { svg, image: imageAt(image) },
  ]),
);
const pixel = await readFile(join(distDir, assets.scripts.pixel), 'utf8'); // inline in its frame
const csp = {
  script: [assets.boot, assets.successBoot, assets.wayBack, pixel].map(hashOf),
  style: [
    ...['', assets.drawingsCss, assets.claimCss, assets.yourEntryCss].map(
      (css) => assets.css + css,
    ),
    previewCss(assets), // the frame of the preview has the policy of the console
  ].map(hashOf),
};
await writeFile(
  join(distDir, 'pages.json'),
  JSON.stringify(
    { pages: written, notFound: { ...notFound, route: undefined }, csp, scenes, early },
    null,
    2,
  ) + '\n',
);
console.log(`prerendered ${written.length + 1} pages into dist/pages`);

/** Stylesheets of visitors and the boot script are inlined; everything else is named by its address. */
async function builtAssets() {
  const files = await readdir(join(distDir, 'assets'));
  const named = (pattern) => {
    const found = files.filter((file) => pattern.test(file));
    if (found.length !== 1) throw new Error(`expected one file like ${pattern}, found: ${found}`);
    return `/assets/${found[0]}`;
  };
  const inlined = async (pattern) => {
    const stylesheet = join(distDir, named(pattern));
    const css = (await readFile(stylesheet, 'utf8')).trim();
    await rm(stylesheet);
    return css;
  };
  const built = async (name) => (await readFile(join(buildDir, name), 'utf8')).trim();
  for (const file of files.filter((name) =>
    /^(drawings|claim|your-entry)-css\.\w+\.js/.test(name),
  )) {
    await rm(join(distDir, 'assets', file)); // webpack makes a script for each entry, also where it is empty
  }
  return {
    css: await inlined(/^site\.\w+\.css$/),
    drawingsCss: await inlined(/^drawings-css\.\w+\.css$/),
    claimCss: await inlined(/^claim-css\.\w+\.css$/),
    yourEntryCss: await inlined(/^your-entry-css\.\w+\.css$/),
    boot: await built('boot.js'),
    successBoot: await built('success-boot.js'),
    wayBack: await built('way-back.js'),
    scripts: Object.fromEntries(
      files
        .filter((file) => file.endsWith('.js'))
        .map((file) => [file.split('.')[0], `/assets/${file}`]),
    ),
    font: named(/\.woff2$/),
    adminCss: named(/^admin\.\w+\.css$/),
  };
}

/** Preview images get hashed names, so that a changed one is fetched again; the rest keeps its name. */
async function copyPublicFiles() {
  const addresses = new Map();
  for (const file of await readdir(publicDir)) {
    const from = join(publicDir, file);
    if (!file.startsWith('og-')) {
      await copyFile(from, join(distDir, file));
      continue;
    }
    const hash = createHash('sha256')
      .update(await readFile(from))
      .digest('hex')
      .slice(0, 10);
    const address = `/assets/${file.replace(extname(file), `.${hash}${extname(file)}`)}`;
    await copyFile(from, join(distDir, address));
    addresses.set(file, address);
  }
  return addresses;
}

/** For the console, which shows a draft with it: the pages of a raffle, and the pictures that it can have. */
async function writePreview(assets) {
  const scenes = Object.entries(pictures()).map(([name, { svg }]) => [name, svg]);
  const text = JSON.stringify({ ...preview(assets), scenes: Object.fromEntries(scenes) });
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  const address = `/assets/admin-preview.${hash}.json`;
  await writeFile(join(distDir, address), text);
  return address;
}

async function write({ html, image, ...page }) {
  await mkdir(join(distDir, 'pages'), { recursive: true });
  await writeFile(join(distDir, page.file), html);
  return { ...page, image: imageAt(image) };
}

/** The address of a file in public/; a place for one stays as it is. */
function imageAt(image) {
  const address = image?.startsWith('{{') ? image : images.get(image);
  if (image && !address) throw new Error(`a page names ${image}, which is not in public/`);
  return address;
}

function hashOf(inlined) {
  return `sha256-${createHash('sha256').update(inlined).digest('base64')}`;
}
