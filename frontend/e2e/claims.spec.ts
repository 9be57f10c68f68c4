import type { Page, Request } from '@playwright/test';
import { violations } from './axe';
import { freshServer, staff } from './server';
import { expect, layoutShift, test as base } from './test';
import { startTextProvider, textKeys } from './textProvider';

interface Text {
  to: string;
  body: string;
}

/** A server that texts winners, with the stand-in that takes their texts. */
async function startClaiming() {
  const provider = await startTextProvider();
  try {
    const server = await freshServer({ ...textKeys, TWILIO_API_BASE: provider.url });
    const stop = async () => {
      await server.stop();
      await provider.stop();
    };
    return { origin: server.origin, provider, stop };
  } catch (error) {
    await provider.stop();
    throw error;
  }
}

type Claiming = Awaited<ReturnType<typeof startClaiming>>;

const test = base.extend<object, { claiming: Claiming }>({
  claiming: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed
    async ({}, use) => {
      const claiming = await startClaiming();
      await use(claiming);
      await claiming.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: [({ claiming }, use) => use(claiming.origin), { scope: 'test' }],
});
test.use({ viewport: { width: 390, height: 844 } });

let count = 0;
const newNumber = () => `+1212555${String((count += 1) + 3000)}`;

async function textsTo({ provider }: Claiming, numbers: string[]): Promise<Text[]> {
  const answer = await fetch(`${provider.url}/control/messages`);
  const { messages } = (await answer.json()) as { messages: Text[] };
  return messages.filter(({ to }) => numbers.includes(to));
}

/** The links of claims that were texted to these numbers, oldest first. */
async function linksTo(claiming: Claiming, numbers: string[]) {
  const texts = await textsTo(claiming, numbers);
  return texts.flatMap(({ to, body }) => {
    const [link] = /http\S+\/claim\/[0-9a-f]{32}/.exec(body) ?? [];
    return link ? [{ to, link, body }] : [];
  });
}

async function codeTo(claiming: Claiming, number: string): Promise<string> {
  const codes = async () =>
    (await textsTo(claiming, [number])).flatMap(({ body }) => /\b\d{6}\b/.exec(body) ?? []);
  await expect.poll(async () => (await codes()).length, { timeout: 30_000 }).toBe(1);
  return (await codes())[0] ?? '';
}

/** A call of staff without the screen. */
async function call(page: Page, method: string, path: string, data?: object) {
  const answer = await page.request.post('/api/admin/login', { data: staff });
  const { sessionToken } = (await answer.json()) as { sessionToken: string };
  const headers = { Authorization: `Bearer ${sessionToken}` };
  const response = await page.request.fetch(path, { method, headers, data });
  expect(response.ok(), await response.text()).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

/** Draws among so many new entrants; answers the drawing, their numbers and the first link. */
async function draw(page: Page, claiming: Claiming, landingPage: string, entrants = 1) {
  const numbers = Array.from({ length: entrants }, newNumber);
  let user = { id: 0 };
  for (const phoneNumber of numbers) {
    const data = { phoneNumber, landingPage };
    const entered = await page.request.post('/api/users/register', { data });
    expect(entered.status()).toBe(201);
    ({ user } = (await entered.json()) as { user: { id: number } });
  }
  const last = {
    cookies: await page.context().cookies(),
    page: `/${landingPage}/success/${user.id}`,
  };
  await page.context().clearCookies(); // the winner opens the link in another browser
  const drawn = await call(page, 'POST', '/api/admin/drawing/perform', { landingPage });
  const first = await linkNumber(claiming, numbers, 1);
  return { id: drawn.id as number, numbers, last, ...first };
}

/** The last of so many links, once that many were texted. */
async function linkNumber(claiming: Claiming, numbers: string[], texts: number) {
  const links = () => linksTo(claiming, numbers);
  await expect.poll(async () => (await links()).length, { timeout: 30_000 }).toBe(texts);
  return (await links()).at(-1)!;
}

/** The only entrant finds the claim on the own page, in the browser that entered. */
async function findsTheWay(page: Page, { last, link }: Awaited<ReturnType<typeof draw>>) {
  await page.context().addCookies(last.cookies);
  await page.goto(last.page);
  const notice = page.getByRole('region', { name: 'You were drawn!' });
  await expect(notice).toContainText('Claim the prize');
  expect(await violations(page)).toEqual([]);
  await notice.getByRole('link', { name: 'Claim your prize' }).click();
  await page.waitForURL(link);
  await page.context().clearCookies();
}

/** What staff do with the claim of a drawing, of the first drawn entry. */
async function decide(page: Page, drawingId: number, action: string, data?: object) {
  const { claims } = (await call(page, 'GET', '/api/admin/claims?limit=100')) as {
    claims: { id: number; drawingId: number; rank: number }[];
  };
  const claim = claims.find((each) => each.drawingId === drawingId && each.rank === 0);
  await call(page, 'POST', `/api/admin/claims/${claim?.id}/${action}`, data);
}

const step = (page: Page, name: string) => page.getByRole('region', { name });
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const send = (page: Page) => page.getByRole('button', { name: 'Send my details' });
const record = (page: Page) => page.getByRole('list', { name: 'Claims' });

/** Opens the link and proves the number. */
async function prove(page: Page, claiming: Claiming, { to, link }: { to: string; link: string }) {
  await page.goto(link);
  await page.getByRole('button', { name: 'Text me a code' }).dblclick();
  await expect(page.getByLabel('6-digit code')).toBeFocused();
  await page.getByLabel('6-digit code').fill(await codeTo(claiming, to));
  await expect(step(page, 'Claim your prize')).toBeVisible();
}

async function fill(page: Page) {
  await page.getByLabel('First and last name').fill('Ana Reyes');
  await page.getByLabel('Street address').fill('1 Main Street');
  await page.getByLabel('City').fill('Albany');
  await page.getByLabel('State', { exact: true }).selectOption('New York');
  await page.getByLabel('ZIP code').fill('12207');
  await page.getByLabel(/at least 18/).check();
  await page.getByLabel(/live in the United States/).check();
  await page.getByLabel(/read the/).check();
}

async function submit(page: Page) {
  await fill(page);
  await send(page).dblclick();
  await expect(step(page, 'We have your details')).toBeVisible();
}

async function fits(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violations(page)).toEqual([]);
}

/** Sign-up pages do, within a second, and still after the first touch. */
async function namesTheWinner(page: Page, drawingId: number) {
  const line = page.getByText('Our last winner: Ana, NY');
  await expect(async () => {
    await page.goto('/kitchen-garden');
    await expect(line).toBeVisible({ timeout: 100 });
  }).toPass();
  await page.getByRole('textbox').click();
  await page.waitForFunction(() => window.early === undefined);
  await expect(line).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the drawing' })).toHaveAttribute(
    'href',
    `/drawings/${drawingId}`,
  );
  await fits(page);
}

/** The requests that say the secret of this link to somebody but the API of claims. */
function watchSecret(page: Page, link: () => string) {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return () => {
    const secret = link().split('/').pop() ?? '';
    const others = requests.filter(
      (request) => request.url() !== link() && !request.url().includes(`/api/claims/${secret}`),
    );
    return others
      .filter((request) =>
        [request.url(), request.postData(), request.headers().referer].some((text) =>
          text?.includes(secret),
        ),
      )
      .map((request) => request.url());
  };
}

test(
  'a winner claims the prize, staff approve it, and the record says so',
  { tag: '@main' },
  async ({ page, claiming }) => {
    let opened = '';
    const leaks = watchSecret(page, () => opened);
    const drawn = await draw(page, claiming, 'garden-bag');
    opened = drawn.link;
    expect(drawn.body).toContain('you may have won');
    await findsTheWay(page, drawn);
    await page.goto(drawn.link);
    await expect(page.getByRole('button', { name: 'Text me a code' })).toBeVisible();
    expect(await layoutShift(page)).toBe(0);

    await prove(page, claiming, drawn);
    await expect(title(page)).toHaveText('You may have won');
    await expect(page.getByText(/^Claim it by/)).toContainText('13 days left');
    await expect(page.locator('html')).toHaveAttribute('data-palette', 'clay');
    await fits(page);

    await send(page).click();
    await expect(page.getByText('Please confirm')).toHaveCount(3);
    await expect(page.getByLabel('First and last name')).toBeFocused();
    await fits(page);
    await fill(page);
    await page.getByLabel(/publish my first name/).check();
    await page.reload();
    await expect(page.getByLabel('City')).toHaveValue('Albany'); // nothing is lost
    await send(page).dblclick();
    await expect(step(page, 'We have your details')).toBeVisible();
    await fits(page);

    await decide(page, drawn.id, 'approve');
    await page.reload();
    await expect(title(page)).toHaveText('You won');
    await fits(page);
    expect(leaks()).toEqual([]);

    await namesTheWinner(page, drawn.id);
    await page.goto('/drawings');
    await expect(record(page).first()).toContainText(
      'Won by Ana, NY. Claimed, number verified by code.',
    );
    await decide(page, drawn.id, 'shipped', { carrier: 'UPS', trackingNumber: '1Z 999 AA1' });
    await page.goto(drawn.link);
    await expect(step(page, 'Your prize is on its way')).toContainText('1Z999AA1');
    await fits(page);
    await decide(page, drawn.id, 'delivered');
    await page.goto(`/drawings/${drawn.id}`);
    await expect(step(page, 'The prize')).toContainText(
      'Won by Ana, NY. Delivered, number verified by code.',
    );
    await fits(page);
  },
);

test('a winner declines, and the next entry is asked', async ({ page, claiming }) => {
  const drawn = await draw(page, claiming, 'fresh-sips', 2);
  await page.goto(`/drawings/${drawn.id}`);
  await expect(record(page)).toContainText('Drawn entry: waiting for a claim');

  await prove(page, claiming, drawn);
  await page.getByRole('button', { name: 'Decline the prize' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline the prize?' });
  await fits(page);
  await dialog.getByRole('button', { name: 'Keep my claim' }).click();
  await expect(page.getByRole('button', { name: 'Decline the prize' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Decline the prize' }).dblclick();
  await expect(step(page, 'You declined the prize')).toBeVisible();

  const next = await linkNumber(claiming, drawn.numbers, 2);
  expect(next.to).not.toBe(drawn.to);
  await page.goto(next.link);
  await expect(page.getByText(/drawn before yours did not take the prize/)).toBeVisible();
  await page.goto(`/drawings/${drawn.id}`);
  await expect(record(page)).toContainText('Drawn entry: declined the prize');
  await expect(record(page)).toContainText('Alternate 1: waiting for a claim');
});

test('a rejected winner reads why, and objects once', async ({ page, claiming }) => {
  const drawn = await draw(page, claiming, 'kitchen-garden');
  await prove(page, claiming, drawn);
  await submit(page);
  const note = 'The address is in Canada.';
  await decide(page, drawn.id, 'reject', { reason: 'residence', note });
  await page.reload();
  const rejected = step(page, 'We did not approve your claim');
  await expect(rejected).toContainText(note);
  await fits(page);
  await page.getByLabel('Your message').fill('I moved to Albany in May.');
  await page.getByRole('button', { name: 'Send objection' }).dblclick();
  await expect(rejected).toContainText('We have your objection');
  await expect(page.getByLabel('Your message')).toHaveCount(0);
  await page.goto(`/drawings/${drawn.id}`);
  await expect(record(page)).toContainText(
    'not eligible (not living in the United States), decided by one person, can object until',
  );
  await decide(page, drawn.id, 'approve');
  await page.goto(drawn.link);
  await expect(title(page)).toHaveText('You won');
});

test('a wrong code is named, and another browser has to prove the number too', async ({
  page,
  browser,
  claiming,
}) => {
  const drawn = await draw(page, claiming, 'sustainable-living');
  await page.goto(drawn.link);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  const code = await codeTo(claiming, drawn.to);
  const field = page.getByLabel('6-digit code');
  await field.fill(code === '111111' ? '222222' : '111111');
  await expect(page.getByText(/tries left/)).toBeVisible();
  await page.reload(); // the code still waits
  await field.fill(code);
  await expect(step(page, 'Claim your prize')).toBeVisible();

  const other = await browser.newContext();
  const theirs = await other.newPage();
  await theirs.goto(drawn.link);
  await expect(step(theirs, 'Confirm your number')).toContainText('not in this browser');
  await expect(send(theirs)).toHaveCount(0);
  await other.close();
});

test('an unknown link shows a page that explains it', async ({ page }) => {
  const response = await page.goto(`/claim/${'0'.repeat(32)}`);
  expect(response?.status()).toBe(200);
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
  await expect(title(page)).toHaveText('We cannot find this claim');
  await fits(page);
  expect(await layoutShift(page)).toBe(0);
});
