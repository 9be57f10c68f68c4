/** Every kind of page as a template of HTML, and what the server has to know about it. Run by scripts/prerender.mjs. */
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { ReactNode } from 'react';
import { App } from '../site/app/App';
import { DrawingsScreen } from '../site/app/DrawingsScreen';
import { SuccessScreen } from '../site/app/SuccessScreen';
import { YourEntryScreen } from '../site/app/YourEntryScreen';
import { countedRoutes, successPath } from '../site/app/countedRoutes';
import { matchPath, routes, type Route } from '../site/app/routes';
import { paletteOf, titleOf, type Screen } from '../site/app/screen';
import { ClaimPage } from '../site/features/claim/ClaimPage';
import { SignUpPage } from '../site/features/entering/SignUpPage';
import { LegalPage, LegalText } from '../site/features/pages/LegalPage';
import { RulesPage, sectionsAfter, type RulesPageProps } from '../site/features/rules/RulesPage';
import { NotFoundPage } from '../site/features/pages/NotFoundPage';
import { WelcomePage } from '../site/features/pages/WelcomePage';
import { Checking, ConsoleFrame, consoleTitle } from '../console/ui/ConsoleFrame';
import type { Figures } from '../site/lib/early';
import { placeholders } from '../site/features/success/early/placeholders';
import { PlanterPage, type Package } from '../site/features/planter/PlanterPage';
import { generic, type Copy, type GenericPage, type Raffle } from '../themes';
import { contact, privacy, terms } from '../themes/legal';
import { GenericScene, scenes } from '../themes/scenes';
import { OFFLINE, STALE } from '../shared/lib/missingFile';
import { siteName, titled } from '../shared/lib/siteName';
import {
  anyEnded,
  anyPackage,
  anyRaffle,
  checked,
  either,
  forAllRaffles,
  ifAnyIsOpen,
  RAFFLE_IMAGE,
  OFFER_SCENE,
  RAFFLE_SCENE,
  withPlaces,
} from './places';

export { early } from '../site/features/success/early/placeholders';

/** Addresses of built files, as far as pages name them. */
export interface Assets {
  /** By the names that entries and lazily loaded files have in the code. */
  scripts: Record<string, string>;
  font: string;
  css: string;
  /** Additional styles for the pages about drawings, for those of claims, and for the screens behind success pages. */
  drawingsCss: string;
  claimCss: string;
  yourEntryCss: string;
  boot: string;
  /** The one of success pages. */
  successBoot: string;
  /** The one of pages without React that lead an entrant to their own page. */
  wayBack: string;
  /** The console's stylesheet, which is a file of its own. */
  adminCss: string;
  /** What `preview` makes, as a file that the console loads. */
  preview: string;
}

export interface Page {
  route: string;
  /** Whose words the page has: of the raffle in its address, of the default one, or of the one that a link shows. */
  of?: 'raffle' | 'default' | 'link';
  file: string;
  title: string;
  description: string;
  canonical?: string;
  /** A file name in public/, for which the build puts its hashed address; or the place for a raffle's. */
  image?: string;
  index: boolean;
  sources: Sources;
  html: string;
}

/**
 * What the Content-Security-Policy lets a page load from other sites: the payment provider and the ads pixel, the pixel
 * only, or nothing. The entry decides, not the screen: `site` shows its other screens without loading a document, under
 * the policy of the first.
 */
type Sources = 'payments' | 'ads' | 'own';

export function pages(assets: Assets): Page[] {
  return [
    ...routes.map((route) => interactivePage(route, assets)),
    ...plainPages(assets),
    planterPage(assets),
  ];
}

/** The pictures that a raffle can have: as they stand in a page, and a file name in public/. */
export function pictures(): Record<string, { svg: string; image: string }> {
  const entries = Object.entries(scenes).map(([name, Scene]) => {
    const image = withImage.includes(name) ? `og-${name}.png` : GENERIC_IMAGE;
    return [name, { svg: renderToStaticMarkup(<Scene />), image }];
  });
  return Object.fromEntries(entries) as ReturnType<typeof pictures>;
}

/**
 * What the console shows of a draft: the sign-up and the success page with the places of a raffle, without a script, so that
 * nothing of them runs or can be pressed, and with the figures of somebody who does not exist.
 */
export function preview(assets: Assets): Record<'signUp' | 'success', string> {
  const page = (path: string, figures?: Figures) => {
    const route = routes.find((each) => each.path === path)!;
    const body = (changes: Partial<Copy['raffle']>) => {
      const screen = screenOf(route, copyOf(route, changes));
      return withPlaces(
        renderToString(<App screen={screen} scene={RAFFLE_SCENE} figures={figures} />),
      );
    };
    const html = either(
      'raffle.showsNextDrawing',
      body({ showsNextDrawing: true }),
      body({ showsNextDrawing: false }),
    );
    return checked(
      `<!doctype html><html lang="en" data-palette="${anyRaffle.palette}"><head><meta charset="utf-8"><title>${titleOf(route, copyOf(route))}</title>` +
        `<style>${previewCss(assets)}</style></head><body inert><div id="root">${html.replace(/<noscript>.*?<\/noscript>/gs, '')}</div></body></html>`,
    );
  };
  return {
    signUp: page('/{raffle}'),
    success: page(successPath('{raffle}', '{userId}'), someFigures),
  };
}

/** Its frame runs no script, and shows what a browser that does would show. */
export const previewCss = ({ css }: Assets): string =>
  css.replace(/@media ?\(scripting: ?none\) ?\{([^{}]*\{[^{}]*\})*\}/g, '');

const someFigures: Figures = {
  ...placeholders(1),
  user: { ...placeholders(1).user, phoneNumber: '***-***-0123' },
  stats: {
    ...placeholders(1).stats,
    totalEntries: 4,
    referralCount: 3,
    paidEntries: 0,
    bonusEntries: 3,
    freeEntries: 0,
  },
};

/** The scenes that have an image of their own for link previews. */
const withImage = ['tool-bag', 'cocktail', 'kitchen-herbs', 'starter-kit'];
const GENERIC_IMAGE = 'og-generic.png';

export function notFoundPage(assets: Assets): Page {
  const [some, none] = [[anyRaffle], []].map((raffles) => <NotFoundPage raffles={raffles} />);
  return plainPage('notFound', '/404', some, assets, none);
}

/** The console, and the address of the link that makes the first owner. */
export function adminPages(assets: Assets): Page[] {
  const page = adminPage(assets);
  return [page, { ...page, route: '/admin/setup' }];
}

/** Only the console's frame: what it shows is for those who sign in. */
function adminPage(assets: Assets): Page {
  const body = renderToStaticMarkup(
    <ConsoleFrame>
      <Checking />
    </ConsoleFrame>,
  );
  return {
    route: '/admin',
    file: fileOf('/admin'),
    title: consoleTitle,
    description: `For the staff of ${siteName}.`,
    index: false,
    sources: 'own',
    html: [
      `<!doctype html><html lang="en"><head>${headStart}`,
      `<link rel="stylesheet" href="${assets.adminCss}">`,
      `<link rel="preload" as="script" href="${script('admin', assets)}">`,
      `${icons}</head>${bodyOf({ body, scripts: [script('admin', assets)], hydrate: 'now', inline: assets.boot, preview: assets.preview })}</html>\n`,
    ].join(''),
  };
}

/** The text of the rules, which reads without a script. Prizes and versions are fetched. */
const rulesText = renderToStaticMarkup(<LegalText document={terms} more={sectionsAfter(true)} />);

function PrintedRulesPage({ version }: RulesPageProps) {
  return <RulesPage version={version} printed={version === undefined ? rulesText : ''} />;
}

const components = {
  'sign-up': { SignUpPage },
  success: { SuccessScreen },
  drawings: { DrawingsScreen },
  claim: { ClaimPage },
  'your-entry': { YourEntryScreen },
  rules: { RulesPage: PrintedRulesPage },
};

function interactivePage(route: Route, assets: Assets): Page {
  const copy = copyOf(route);
  // Who enters with the generic words enters the default raffle, and sees its prize.
  const isEntering = route.page === 'sign-up' || route.page === 'success';
  const hasPrize = isEntering || route.look === 'raffle';
  const of = ofRoute(route);
  const isClaim = route.page === 'claim'; // its address is a secret
  const isCounted = countedRoutes.includes(route);
  const scene = !hasPrize
    ? renderToStaticMarkup(<GenericScene />)
    : route.page === 'sign-up'
      ? OFFER_SCENE
      : RAFFLE_SCENE;
  const screen = screenOf(route, copy);
  return {
    route: route.path,
    ...(of && { of }),
    file: fileOf(route.path),
    title: ifOpen(route, (changes) => titleOf(route, copyOf(route, changes))),
    description: ifOpen(route, (changes) => descriptionOf(route, copyOf(route, changes))),
    ...canonicalOf(route),
    image: hasPrize ? RAFFLE_IMAGE : GENERIC_IMAGE,
    index:
      (isCounted || route.page === 'rules') &&
      route.page !== 'success' &&
      !route.path.includes('{code}'),
    sources: isCounted ? 'payments' : 'own',
    html: documentOf({
      palette: paletteOf(screen),
      raffle: of && copy.raffle.key,
      body: bodiesOf(route, scene),
      data: of ? RAFFLE_DATA : (dataOf[route.page as keyof typeof dataOf] ?? ''),
      scripts: scriptsOf(route, assets),
      hydrate: startOf(route),
      inline: route.page === 'success' ? assets.successBoot : assets.boot,
      tracked: isCounted,
      isSecret: isClaim,
      isLink: route.path.includes('{code}'),
      css: assets.css + cssOf(route, assets),
      assets,
    }),
  };
}

/** JSON that React reads: src/site/lib/pageRaffle.ts. A script of this type does not run. */
const dataBlock = (id: string, json: string) =>
  `<script type="application/json" id="${id}">${json}</script>`;
const RAFFLE_DATA = dataBlock('raffle', '{{ raffle.json }}');
const RAFFLES_DATA = dataBlock('raffles', '{{ names }}');
/** Of pages that are no raffle's and learn later which one they are about, or list all. */
const dataOf = {
  claim: dataBlock('looks', '{{ looks }}') + RAFFLES_DATA,
  drawings: RAFFLES_DATA,
};

function ofRoute({ path, page }: Route): Page['of'] {
  if (path.startsWith('/{raffle}')) return 'raffle';
  return ['sign-up', 'success', 'your-entry'].includes(page) ? 'default' : undefined;
}

function copyOf({ look }: Route, changes: Partial<Copy['raffle']> = {}): Copy {
  const raffle = { ...anyRaffle, ...changes };
  return look === 'generic' ? { raffle, generic } : { raffle };
}

function screenOf(route: Route, copy: Copy): Screen {
  // Any value makes the match complete, and shows nowhere.
  const path = route.path.replace('{raffle}', 'any').replace(/\{\w+\}/, '1');
  const match = matchPath(path, 'any');
  if (!match) throw new Error(`${route.path} matches no path`);
  return { ...match, copy, ...components[route.page] };
}

/** What pages of a raffle say while it is open, and once it has ended. Those that name no raffle are of an open one. */
function ifOpen(route: Route, text: (changes: Partial<Copy['raffle']>) => string): string {
  if (ofRoute(route) !== 'raffle') return text({});
  return either('raffle.isOpen', text({}), text(anyEnded));
}

/** The page as it is for each raffle: a few of its properties change more than words. */
function bodiesOf(route: Route, scene: string): string {
  const body = (changes: Partial<Copy['raffle']>) => {
    const screen = screenOf(route, copyOf(route, changes));
    const built = renderToString(<App screen={screen} scene={scene} />);
    return withPlaces(built + templatesOf(screen, built));
  };
  return ifOpen(route, ({ isOpen = true }) => {
    if (!isOpen) return ifAnyIsOpen(body(anyEnded), body({ ...anyEnded, openRaffles: [] }));
    if (route.page === 'sign-up') {
      const [dated, undated] = [true, false].map((showsNextDrawing) => body({ showsNextDrawing }));
      return either('raffle.showsNextDrawing', dated!, undated!);
    }
    const [waiting, ready] = [true, false].map((waitsForUser) => body({ waitsForUser }));
    return either('raffle.waitsForUser', waiting!, ready!);
  });
}

function startOf({ page }: Route): Start {
  if (page === 'sign-up') return 'on-touch';
  return page === 'success' ? 'when-idle' : 'now';
}

/** The parts of a success page that figures change, as they are with them: src/site/features/success/early/fillPage.ts. */
function templatesOf(screen: Screen, built: string): string {
  if (!('SuccessScreen' in screen)) return '';
  const figures = placeholders(Number(screen.params.userId));
  const page = renderToString(<App screen={screen} scene="" figures={figures} />);
  const parts = [...built.matchAll(/data-part="([\w-]+)"/g)].map(([, name = '']) => name);
  return parts
    .map((name) => `<template data-for="${name}">${partOf(page, name)}</template>`)
    .join('');
}

/** The element with this name, which has no element of its own kind in it. `all` is what follows the greeting. */
function partOf(page: string, name: string): string {
  if (name === 'all') return page.slice(page.indexOf('<dl'), page.indexOf('</div><noscript>'));
  const found = page.match(new RegExp(`<(\\w+)[^>]*data-part="${name}".*?</\\1>`, 's'));
  if (!found) throw new Error(`the page with figures has no part ${name}`);
  return found[0];
}

function cssOf({ page }: Route, { drawingsCss, claimCss, yourEntryCss }: Assets): string {
  if (page === 'claim') return claimCss;
  if (page === 'your-entry') return yourEntryCss;
  return page === 'drawings' ? drawingsCss : '';
}

function canonicalOf({ page, path, look }: Route): { canonical?: string } {
  if (page === 'claim') return {};
  if (page === 'rules') return { canonical: '/rules' };
  // Whoever passes a page with a code on passes on the code, too (D76).
  if (path.includes('{code}')) return {};
  if (page !== 'drawings')
    return { canonical: look === 'generic' ? '/welcome' : `/${anyRaffle.key}` };
  return path.includes('{') ? {} : { canonical: path }; // each drawing has an address of its own
}

function descriptionOf({ page, path }: Route, copy: Copy): string {
  if (page === 'claim') return claimDescription;
  if (page === 'your-entry') return yourEntryDescription;
  if (page === 'rules') return rulesDescription;
  if (page === 'drawings')
    return path.includes('{') ? drawings.oneDescription : drawings.description;
  if (!copy.raffle.isOpen) return endedDescription;
  if (page === 'success') return generic.pages.success.metaDescription;
  return copy.generic ? generic.pages.referral.metaDescription : copy.raffle.metaDescription;
}

/** All files that hydrating this route needs, so that they load at once and not one after the other. */
function scriptsOf({ page, look }: Route, assets: Assets): string[] {
  if (page === 'claim' || page === 'rules')
    return ['site', page].map((name) => script(name, assets));
  if (page === 'drawings') return ['site', 'store', page].map((name) => script(name, assets));
  const words = look === 'generic' ? ['generic'] : [];
  const store = page === 'sign-up' ? [] : ['store'];
  return ['site', ...words, ...store, page].map((name) => script(name, assets));
}

function script(name: string, { scripts }: Assets): string {
  const address = scripts[name];
  if (!address) throw new Error(`no script named ${name} was built`);
  return address;
}

function plainPages(assets: Assets): Page[] {
  return [
    plainPage('welcome', '/welcome', welcomeOf([anyRaffle]), assets, welcomeOf([])),
    plainPage('privacy', '/privacy', <LegalPage document={privacy} />, assets),
    plainPage('contact', '/contact', <LegalPage document={contact} />, assets),
  ];
}

const welcomeOf = (raffles: Raffle[]) => <WelcomePage raffles={raffles} scene={RAFFLE_SCENE} />;

/** The other pages of plain HTML need no script: this one is counted, and there the answer about ads can be changed. */
const tracked: GenericPage[] = ['welcome', 'privacy'];

/** A page without React, which may have another content when no raffle is open. */
function plainPage(
  key: GenericPage,
  route: string,
  content: ReactNode,
  assets: Assets,
  ifNoneIsOpen = content,
): Page {
  const { metaTitle, metaDescription } = generic.pages[key];
  const [body, other] = [content, ifNoneIsOpen].map((each) => withPlaces(renderToString(each)));
  return {
    route,
    file: fileOf(route),
    title: titled(metaTitle),
    description: metaDescription,
    canonical: route,
    image: GENERIC_IMAGE,
    index: key !== 'notFound',
    sources: tracked.includes(key) ? 'ads' : 'own',
    html: documentOf({
      palette: 'generic',
      body: other === body ? forAllRaffles(body!) : ifAnyIsOpen(body!, other!),
      scripts: [],
      tracked: tracked.includes(key),
      inline: key === 'welcome' ? assets.wayBack : undefined,
      assets,
    }),
  };
}

function planterPage(assets: Assets): Page {
  const { name, totalValue } = anyPackage;
  const body = (planter: Package, raffle = anyRaffle) =>
    withPlaces(
      renderToString(<PlanterPage raffle={raffle} scene={RAFFLE_SCENE} planter={planter} />),
      'raffle.package.parts',
    );
  const undated = { ...anyPackage, drawing: undefined };
  return {
    route: '/planter/{trackingId}',
    of: 'link',
    file: fileOf('/planter/{trackingId}'),
    title: titled(`${name} worth ${totalValue}`),
    description: either(
      'raffle.isOpen',
      either(
        'raffle.package.day',
        `An example of a ${name} worth ${totalValue}. The raffle is free, no purchase required.`,
        anyRaffle.metaDescription,
      ),
      endedDescription,
    ),
    image: RAFFLE_IMAGE,
    index: false, // each is somebody's own
    sources: 'ads',
    html: documentOf({
      palette: anyRaffle.palette,
      countedAs: '{{ raffle.trackingName }}',
      body: either(
        'raffle.isOpen',
        either('raffle.package.day', body(anyPackage), body(undated)),
        ifAnyIsOpen(body(undated, anyEnded), body(undated, { ...anyEnded, openRaffles: [] })),
      ),
      scripts: [],
      tracked: true,
      inline: assets.wayBack,
      then: script('planter', assets),
      assets,
    }),
  };
}

/** `/{raffle}/ref/{code}` becomes `pages/raffle-ref-code.html`. */
function fileOf(route: string): string {
  const words = route.match(/[\w-]+/g) ?? [];
  return `pages/${words.join('-') || 'index'}.html`;
}

/** When the application is loaded; with `when-idle`, at the first touch too. */
type Start = 'now' | 'on-touch' | 'when-idle';

interface Document {
  palette: string;
  /** The key of the raffle whose words the page has, and the name under which one behind a link is counted. */
  raffle?: string | undefined;
  countedAs?: string;
  body: string;
  /** What React reads, after what it hydrates. */
  data?: string;
  /** The first is the application, the others are files that it needs to start. */
  scripts: string[];
  hydrate?: Start;
  /** A script that stands in the page, after all that it writes into. */
  inline?: string | undefined;
  /** Whether a friend's link leads here. */
  isLink?: boolean;
  /** Whether src/entries/tracking.ts runs here. */
  tracked: boolean;
  /** The address of a script that runs after it. */
  then?: string;
  css?: string;
  /** Whether no other site or page may learn the address. */
  isSecret?: boolean;
  assets: Assets;
}

const claimDescription =
  'For the holder of a drawn entry: confirm your number and claim the prize. It is free.';

const endedDescription =
  'This raffle has ended. See its drawings and the raffles that you can enter.';

const yourEntryDescription =
  'Texts, the next drawing in your calendar, and your data: settings of an entry.';
const rulesDescription =
  'The official rules of our monthly raffles: who can enter, how to enter free, how winners are drawn, and every version.';

const drawings = {
  description:
    'Every drawing of our raffles with its winning entry and a proof that anyone can check.',
  oneDescription:
    'The winning entry of a drawing, how it was drawn, and the proof, which you can check in your browser.',
};

const headStart =
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><!--head-->';

const icons =
  '<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/favicon.svg" type="image/svg+xml">' +
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/site.webmanifest">';

function documentOf(document: Document): string {
  const { then, assets, css = assets.css } = document;
  const html = [
    `<!doctype html><html lang="en"${rootData(document)}><head>`,
    document.isSecret ? '<meta name="referrer" content="no-referrer">' : '', // before anything is loaded
    headStart,
    `<link rel="preload" as="font" type="font/woff2" href="${assets.font}" crossorigin>`,
    `<style>${css}</style>`,
    document.tracked ? trackingScript(assets) : '',
    then ? `<script defer src="${then}"></script>` : '',
    `${icons}</head>${bodyOf(document)}</html>\n`,
  ];
  return checked(html.join(''));
}

function rootData({ palette, raffle, countedAs, isLink }: Document): string {
  const data = [
    ` data-palette="${palette}"`,
    raffle ? ` data-raffle="${raffle}"` : '',
    countedAs ? ` data-counted-as="${countedAs}"` : '',
    // A friend's banner is there at once: the boot script, which shows it in a tab that keeps the link, stands at the end.
    isLink ? ' data-referred' : '',
  ];
  return data.join('');
}

interface Body extends Pick<Document, 'body' | 'data' | 'scripts' | 'hydrate' | 'inline'> {
  preview?: string;
}

function bodyOf({ body, data: json = '', scripts, hydrate, inline, preview }: Body): string {
  const data = hydrate ? ` data-scripts="${scripts.join(' ')}" data-hydrate="${hydrate}"` : '';
  const root = `<div id="root">${body}</div>${json}`;
  const script = inline ? `<script>${inline}</script>` : '';
  const shown = preview ? ` data-preview="${preview}"` : '';
  return `<body${data}${shown}>${hydrate ? missingFile : ''}${root}${script}</body>`;
}

/** Before what runs in the browser, hidden until a file does not arrive. To try again is to touch the page: see application.ts. */
const missingFile = [
  '<div class="missing" role="alert">',
  `<p class="missing-stale">${STALE} <a href="">Reload the page</a></p>`,
  `<p class="missing-offline">${OFFLINE} <button type="button">Try again</button></p></div>`,
].join('');

/** Deferred: after everything that is seen, and on its own when the rest does not arrive. */
function trackingScript(assets: Assets): string {
  const [file, ads, pixel] = ['tracking', 'ads', 'pixel'].map((name) => script(name, assets));
  return `<script defer src="${file}" data-ads="${ads}" data-pixel="${pixel}"></script>`;
}
