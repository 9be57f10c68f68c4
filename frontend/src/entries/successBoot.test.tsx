import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
  type MockInstance,
} from 'vitest';
import { endListenersWithTheTest } from '../testing/listeners';
import { entrant, refusing, server } from '../testing/server';
import { aHold, someReferrals, someStats } from '../testing/site/builders';
import { assets } from '../testing/site/assets';
import { fillTemplate } from '../testing/site/fillTemplate';
import { raffleOf, raffles, writePageRaffle } from '../testing/site/raffles';

const PATH = '/fresh-sips/success/7';

endListenersWithTheTest();

// The entry starts React itself, so nothing else ends it: its timers would run on without a document.
const { hydrated } = vi.hoisted(() => ({ hydrated: [] as { unmount: () => void }[] }));
vi.mock('react-dom/client', async (original) => {
  const client = await original<typeof import('react-dom/client')>();
  const hydrateRoot: typeof client.hydrateRoot = (...args) => {
    const root = client.hydrateRoot(...args);
    hydrated.push(root);
    return root;
  };
  return { ...client, hydrateRoot };
});

let asked: string[];
let errors: MockInstance;

const act = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };

beforeEach(() => {
  act.IS_REACT_ACT_ENVIRONMENT = false; // the entry starts React itself
  asked = [];
  errors = vi.spyOn(console, 'error');
  server.events.on('request:start', ({ request }) => asked.push(new URL(request.url).pathname));
});

afterEach(() => {
  const said = errors.mock.calls; // such as what React says about a page that it did not expect
  server.events.removeAllListeners();
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const root of hydrated.splice(0)) root.unmount();
  document.querySelector('#root')?.remove(); // toasts may still be read out beside it
  document.querySelectorAll('template').forEach((template) => template.remove());
  document.querySelector('.missing')?.remove();
  delete document.documentElement.dataset.missing;
  window.onload = window.onbeforeunload = window.onpagehide = null;
  delete window.fileMissing;
  document.head.innerHTML = '';
  delete window.early;
  delete window.earlyAnswers;
  Reflect.deleteProperty(navigator, 'clipboard');
  delete window.tracked;
  sessionStorage.clear();
  Reflect.deleteProperty(navigator, 'share');
  act.IS_REACT_ACT_ENVIRONMENT = true;
  expect(said).toEqual([]);
});

/** The pages as the build writes them, where there is no browser, and as the server serves them. */
async function build(): Promise<Map<string, string>> {
  vi.stubGlobal('document', undefined);
  vi.resetModules();
  const { pages } = await import('./prerender');
  vi.unstubAllGlobals();
  const all = pages(assets).map(
    ({ route, html }) => [route, html.replaceAll('%SITE_NAME%', 'Tombola')] as const,
  );
  return new Map(all);
}

let built: Map<string, string>;
beforeAll(async () => {
  built = await build();
});

/** The page before anything but its inline script has run. */
async function open(path = PATH) {
  const [, key = ''] = path.split('/');
  const raffle = raffles[key] ?? raffleOf('garden-bag');
  const route = path.replace('7', '{userId}').replace(`/${raffle.key}/`, '/{raffle}/');
  const html = fillTemplate(built.get(route)!, raffle);
  writePageRaffle(raffle);
  const page = new DOMParser().parseFromString(html, 'text/html');
  document.body.prepend(...page.querySelectorAll('.missing, #root, template'));
  Object.assign(document.body.dataset, page.body.dataset);
  history.replaceState(null, '', path);
  vi.resetModules();
  await import('./successBoot');
}

/** The application's files have arrived. */
async function startReact() {
  await import('./site');
  await waitFor(() => expect(window.early).toBeUndefined());
}

const figures = () => [...document.querySelectorAll('dd')].map(({ textContent }) => textContent);
const link = () => screen.getByLabelText<HTMLTextAreaElement>('Your referral link');
const askedFor = (path: string) => asked.filter((each) => each === `/api/users/7${path}`).length;
const filled = () => waitFor(() => expect(link().value).toContain('/ref/ABCD2345'));
const files = () =>
  [...document.querySelectorAll<HTMLScriptElement>('head script')].map(({ src }) => src);
const loading = () => waitFor(() => expect(files()).toContain(`${location.origin}/assets/site.js`));

const paths = [
  '/garden-bag/success/7',
  PATH,
  '/kitchen-garden/success/7',
  '/sustainable-living/success/7',
  '/success/7',
];

/** A browser with a clipboard, which jsdom is not. */
function clipboard() {
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  return writeText;
}

describe('before React, a success page', () => {
  it.each(paths)('shows its figures: %s', async (path) => {
    const stats = { totalEntries: 9_999_999, referralCount: 200, paidEntries: 1_020 };
    server.use(...entrant({ stats }));
    await open(path);
    await filled();
    expect(figures()).toEqual(['9,999,999', '200', '1,020']);
    expect(screen.getByText('(555) 123-4567')).toBeInTheDocument();
    expect(document.querySelector('.waiting')).toBeNull();
    expect(screen.queryByText('Loading...')).not.toBeInTheDocument();
    expect(document.body.textContent).not.toMatch(/EARLY_|the 1st of next month/);
    expect(files()).toEqual([]);
  });

  it.each(paths)(
    'is what React makes of it, so that nothing changes or is asked again: %s',
    async (path) => {
      server.use(...entrant({ stats: { referralCount: 1 }, referrals: someReferrals(1) }));
      await open(path);
      await filled();
      const before = [...document.querySelectorAll('#root *')];
      const html = document.querySelector('.success')!.innerHTML;
      await startReact();
      expect(document.querySelector('.success')!.innerHTML).toContain(html);
      await screen.findByRole('region', { name: /Referrals$/ });
      const noscript = /noscript/i; // whose content React takes away
      for (const element of before.filter((each) => !noscript.test(each.outerHTML))) {
        expect(element.isConnected, element.outerHTML).toBe(true);
      }
      expect(['', '/stats', '/appeal', '/referrals'].map(askedFor)).toEqual([1, 1, 1, 1]);
    },
  );

  it('offers the ways to share that React would offer', async () => {
    Object.defineProperty(navigator, 'share', { value: vi.fn(), configurable: true });
    await open();
    await filled();
    const hrefs = () =>
      ['Email', 'Text'].map((name) => screen.getByRole<HTMLAnchorElement>('link', { name }).href);
    const early = hrefs();
    expect(early[0]).toContain(encodeURIComponent(link().value));
    expect(screen.getByRole('button', { name: 'Share' })).toBeInTheDocument();
    await startReact();
    const { App } = await import('../site/app/App');
    const { loadScreen } = await import('../site/app/screen');
    const { render } = await import('@testing-library/react');
    const { createElement } = await import('react');
    const shown = (await loadScreen(PATH))!;
    document.querySelector('#root')!.remove();
    render(createElement(App, { screen: shown, scene: '' }));
    await screen.findByRole('link', { name: 'Email' });
    expect(hrefs()).toEqual(early);
  });

  it('has no line about shares in a browser that did not enter', async () => {
    server.use(...entrant({ user: { phoneNumber: '***-***-4567' } }));
    await open();
    await filled();
    expect(document.querySelector('.share-line')).toBeNull();
    expect(askedFor('/appeal')).toBe(0);
    await startReact();
    expect(screen.getByText('***-***-4567')).toBeInTheDocument();
  });

  it('copies the link at once, says so, and React goes on with it', async () => {
    const writeText = clipboard();
    await open();
    await filled();
    screen.getByRole('button', { name: 'Copy' }).click();
    const copied = await screen.findByRole('button', { name: 'Copied!' });
    expect(within(copied.parentElement!).getByRole('status')).toHaveTextContent('Copied!');
    expect(writeText).toHaveBeenCalledExactlyOnceWith(`${location.origin}/fresh-sips/ref/ABCD2345`);
    const share = { kind: 'referral_share', userId: 7, referralCode: 'ABCD2345' };
    expect(window.tracked).toEqual([{ ...share, platform: 'copy' }]);
    await loading();
    await startReact();
    expect(copied).toHaveTextContent('Copied!');
    await waitFor(() => expect(copied).toHaveTextContent(/^Copy$/), { timeout: 5_000 });
    expect(copied).toBeInTheDocument();
    expect(writeText).toHaveBeenCalledOnce();
  });

  it('leaves the copy to React where the browser refuses it', async () => {
    const writeText = clipboard().mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await open();
    await filled();
    screen.getByRole('button', { name: 'Copy' }).click();
    await loading();
    expect(screen.getByRole('button', { name: 'Copy' })).toBeInTheDocument();
    await startReact();
    expect(await screen.findByRole('button', { name: 'Copied!' })).toBeInTheDocument();
    expect(writeText).toHaveBeenCalledTimes(2);
  });

  it('holds any other press until React answers it', async () => {
    await open();
    await filled();
    screen.getByRole('button', { name: 'Show QR code' }).click();
    document.querySelector('h1')!.click(); // a touch elsewhere takes nothing back
    await loading();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await startReact();
    expect(await screen.findByRole('dialog')).toBeInTheDocument();
  });

  it('says when what a press needs did not arrive, and tries again', async () => {
    sessionStorage.setItem('tombola.missing', '1'); // it has reloaded
    await open();
    await filled();
    screen.getByRole('button', { name: 'Copy' }).click();
    document.querySelector<HTMLScriptElement>('head script')!.onerror!('');
    await waitFor(() => expect(document.documentElement.dataset.missing).toBe('stale'));
    const tried = files().length;
    screen.getByRole('button', { name: 'Copy' }).click();
    expect(files()).toHaveLength(2 * tried);
  });

  it('counts a mail and a text', async () => {
    const stay = (event: Event) => event.preventDefault(); // jsdom opens no mail
    addEventListener('click', stay);
    await open();
    await filled();
    for (const name of ['Email', 'Text']) screen.getByRole('link', { name }).click();
    removeEventListener('click', stay);
    const share = { kind: 'referral_share', userId: 7, referralCode: 'ABCD2345' };
    expect(window.tracked).toEqual([
      { ...share, platform: 'email' },
      { ...share, platform: 'sms' },
    ]);
  });
});

describe('React is loaded', () => {
  it.each(['pointerdown', 'pointermove', 'keydown', 'focusin'])('by %s, once', async (type) => {
    await open();
    await filled();
    dispatchEvent(new Event(type));
    dispatchEvent(new Event(type));
    expect(files()).toEqual(
      ['site', 'store', 'success'].map((name) => `${location.origin}/assets/${name}.js`),
    );
  });

  it('when the page was still for three seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await open();
    window.onload!(new Event('load'));
    vi.advanceTimersByTime(2_999);
    expect(files()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(files()).toHaveLength(3);
    vi.useRealTimers();
    await filled();
  });

  it('at once where entries are on hold', async () => {
    server.use(http.get('*/api/users/:id/appeal', () => HttpResponse.json(aHold())));
    await open();
    await filled();
    await loading();
    await startReact();
    expect(await screen.findByRole('heading', { name: 'Your entries are on hold' })).toBeVisible();
    expect(askedFor('/appeal')).toBe(1);
  });

  it("at once where a friend's sign-up is checked, which only React says", async () => {
    server.use(...entrant({ stats: { entriesOnHold: 2 } }));
    await open();
    await loading();
    await startReact();
    expect(await screen.findByText(/^2 entries are on hold/)).toBeVisible();
    expect(['', '/stats'].map(askedFor)).toEqual([1, 1]);
  });

  it('at once where a purchase has to be finished', async () => {
    sessionStorage.setItem('tombola.purchase', '{}');
    await open();
    await loading();
    await filled();
  });

  it('while the figures are on their way, and asks for nothing twice', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.use(
      http.get('*/api/users/:id/stats', async () => {
        await answered;
        return HttpResponse.json(someStats({ totalEntries: 12 }));
      }),
    );
    await open();
    await startReact();
    expect(figures()[0]).toBe('');
    answer();
    await waitFor(() => expect(figures()[0]).toBe('12'));
    expect(['', '/stats', '/appeal'].map(askedFor)).toEqual([1, 1, 1]);
  });

  it.each([
    ['the entrant', ''],
    ['the figures', '/stats'],
  ])('at once where %s failed, says why, and tries again when asked', async (_, path) => {
    server.use(...entrant({ stats: { totalEntries: 12 } }));
    server.use(refusing(`/api/users/7${path}`, 503, { error: 'Away' }, { 'Retry-After': '3' }));
    await open();
    await loading();
    await startReact();
    const alert = await screen.findByText(/Please try again in 3 seconds/);
    expect(askedFor(path)).toBe(1);
    server.use(...entrant({ stats: { totalEntries: 12 } }));
    const card = alert.closest<HTMLElement>('[role=alert]')!;
    within(card).getByRole('button', { name: 'Try again' }).click();
    await waitFor(() => expect(figures()[0]).toBe('12'));
    expect(card).not.toBeInTheDocument();
  });

  it('at once for an entry that nobody has', async () => {
    server.use(refusing('/api/users/:id', 404, { error: 'Not found', code: 'not_found' }));
    await open();
    await loading();
    await startReact();
    expect(await screen.findByRole('heading', { name: 'We cannot find this entry' })).toBeVisible();
  });
});
