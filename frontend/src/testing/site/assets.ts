import type { Assets } from '../../entries/prerender';

const names = [
  'site',
  'tracking',
  'ads',
  'pixel',
  'planter',
  'generic',
  'sign-up',
  'store',
  'success',
  'drawings',
  'claim',
  'your-entry',
  'rules',
  'admin',
];

/** What a build would have made. */
export const assets: Assets = {
  scripts: Object.fromEntries(names.map((name) => [name, `/assets/${name}.js`])),
  font: '/assets/font.woff2',
  css: 'body{color:red}',
  drawingsCss: 'ol{color:blue}',
  claimCss: 'dl{color:green}',
  yourEntryCss: 'dd{color:pink}',
  boot: '/* boot */',
  wayBack: '/* way back */',
  successBoot: '/* boot of success */',
  adminCss: '/assets/admin.css',
  preview: '/assets/preview.json',
};
