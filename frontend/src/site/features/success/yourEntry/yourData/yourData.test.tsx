import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../../../testing/site/builders';
import { CODE, codeInput } from '../../../../../testing/site/codes';
import { blockCookies, COOKIES_BLOCKED } from '../../../../../testing/site/cookies';
import { aCopy, aPending, DAY_MS, dataServer } from '../../../../../testing/site/dataRequests';
import { PushBrowser } from '../../../../../testing/site/pushBrowser';
import { renderPath } from '../../../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../../../testing/server';
import type { DataRequestView } from '../../../../api/generatedData';

const PAGE = '/garden-bag/success/7/your-entry';
const PATH = '/api/users/7/data-requests';

beforeAll(() => import('./DataRequests')); // not within the time of the first test
beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn()); // jsdom has none
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  localStorage.clear();
});

const summary = async () => (await screen.findByText('Your data')).closest('summary')!;
const copyButton = () => screen.findByRole('button', { name: 'Get a copy of your data' });
const eraseButton = () => screen.findByRole('button', { name: 'Delete my entry and data' });
const copyLink = () => screen.findByRole('link', { name: 'Download your data' });
const dialog = () => screen.findByRole('dialog', { name: 'Delete your entry and data?' });
const farewell = () => screen.findByRole('heading', { level: 1, name: 'Your data is deleted' });

/** The page with "Your data" open, on a server with these requests. */
async function openData(first: DataRequestView[] = [], codesAreOn = false) {
  const { state, handlers } = dataServer(first, codesAreOn);
  server.use(...handlers);
  const { user } = await renderPath(PAGE);
  await user.click(await summary());
  return { user, state };
}

async function askToErase(first: DataRequestView[] = [], codesAreOn = false) {
  const opened = await openData(first, codesAreOn);
  await opened.user.click(await eraseButton());
  const erase = within(await dialog()).getByRole('button', { name: 'Delete for good' });
  return { ...opened, erase };
}

describe('the part "Your data"', () => {
  it('asks for nothing before it is opened', async () => {
    let reads = 0;
    server.use(
      http.get(`*${PATH}`, () => {
        reads += 1;
        return HttpResponse.json({ requests: [] });
      }),
    );
    const { user } = await renderPath(PAGE);
    const line = await summary();
    expect(line.parentElement).not.toHaveAttribute('open');
    expect(screen.queryByText(/A ZIP file/)).not.toBeInTheDocument();
    expect(reads).toBe(0);
    await user.click(line);
    await copyButton();
    expect(reads).toBe(1);
  });

  it('stays open over a reload of the tab, and closed once it was closed', async () => {
    const { user } = await openData();
    await copyButton();
    const again = await renderPath(PAGE);
    const button = { name: 'Get a copy of your data' };
    expect(await within(again.container).findByRole('button', button)).toBeInTheDocument();
    await user.click(within(again.container).getByText('Your data'));
    await waitFor(() => expect(sessionStorage.getItem('tombola.data')).toBeNull());
  });

  it('is not there in another browser', async () => {
    server.use(...entrant({ user: aUser({ phoneNumber: '***-***-4567' }) }));
    await renderPath(PAGE);
    await screen.findByText(/^Only the browser that you entered with/);
    expect(screen.queryByText('Your data')).not.toBeInTheDocument();
  });

  it('says that the requests cannot be read, and reads them again', async () => {
    server.use(refusing(PATH, 503, {}, { 'Retry-After': '3' }));
    const { user } = await renderPath(PAGE);
    await user.click(await summary());
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('We are busy right now. Please try again in 3 seconds.');
    server.use(...dataServer().handlers);
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await copyButton()).toBeInTheDocument();
  });
});

describe('a copy of the data', () => {
  it('is asked for once by a double click, and its link has the focus', async () => {
    const { user, state } = await openData();
    await user.dblClick(await copyButton());
    const link = await copyLink();
    expect(link).toHaveAttribute('href', aCopy().fileUrl);
    expect(link).toHaveFocus();
    expect(link).toHaveAccessibleDescription(/^This link works until \w+ \d+, \d+ at .*[AP]M\./);
    expect(state.made).toEqual(['export']);
  });

  it('is there after a reload', async () => {
    await openData([aCopy()]);
    expect(await copyLink()).not.toHaveFocus();
    expect(screen.queryByRole('button', { name: /Get a copy/ })).not.toBeInTheDocument();
  });

  it.each([
    [
      'whose link has ended',
      { expiresAt: new Date(Date.now() - DAY_MS).toISOString(), fileUrl: null },
      /^The link to your last copy worked until/,
    ],
    ['that failed', { status: 'failed', fileUrl: null } as const, /could not be made. Try again/],
  ])('%s can be asked for again', async (_, changes, sentence) => {
    const { user } = await openData([aCopy(changes)]);
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    await user.click(await copyButton());
    expect(await copyLink()).toHaveFocus();
    expect(screen.queryByText(sentence)).not.toBeInTheDocument();
  });

  it('says how long to wait after too many', async () => {
    const { user } = await openData();
    const button = await copyButton();
    const error = 'You asked for five copies today. Try again tomorrow.';
    server.use(refusing(PATH, 429, { code: 'too_many_exports', error }));
    await user.click(button);
    expect(await screen.findByText(error)).toHaveAttribute('role', 'alert');
  });

  it('that was made although its answer was lost is there at once', async () => {
    const { user, state } = await openData();
    server.use(
      http.post(`*${PATH}`, () => {
        state.now = [aCopy()];
        return HttpResponse.error();
      }),
    );
    await user.click(await copyButton());
    expect(await copyLink()).toBeInTheDocument();
  });

  it('is there as long as the server gives its address, whatever the clock of the visitor says', async () => {
    await openData([aCopy({ expiresAt: new Date(Date.now() - DAY_MS).toISOString() })]);
    expect(await copyLink()).toBeInTheDocument();
    expect(screen.queryByText(/^The link to your last copy/)).not.toBeInTheDocument();
  });

  it('is not asked for by a browser that blocks cookies', async () => {
    const { user, state } = await openData([], true);
    const button = await copyButton();
    blockCookies();
    await user.click(button);
    expect(await screen.findByText(COOKIES_BLOCKED)).toHaveAttribute('role', 'alert');
    expect(state.made).toEqual([]);
  });

  it('says while it is on its way that it is', async () => {
    const { user } = await openData();
    server.use(http.post(`*${PATH}`, () => delay('infinite')));
    await user.click(await copyButton());
    const button = await screen.findByRole('button', { name: 'Asking for your copy...' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveFocus();
  });
});

describe('with codes', () => {
  it('a copy is there after the code, which is sent once', async () => {
    const { user, state } = await openData([], true);
    await user.click(await copyButton());
    await waitFor(() => expect(codeInput()).toHaveFocus());
    expect(screen.getByText(/To get your copy, type the 6-digit code/)).toHaveTextContent(
      'that we texted to (555) 123-4567.',
    );
    await user.keyboard(CODE);
    expect(await copyLink()).toHaveFocus();
    expect(state.codes).toEqual([{ verificationId: aPending().verification?.id, code: CODE }]);
  });

  it('the step is there after a reload, and takes no focus', async () => {
    await openData([aPending()], true);
    expect(await screen.findByLabelText('6-digit code')).not.toHaveFocus();
    expect(screen.getByText(/^Send again in/)).toHaveTextContent(/^Send again in \d+\ss$/);
  });

  it('that no longer count, people start again', async () => {
    const verification = { ...aPending().verification!, expiresAfter: 0 };
    await openData([aPending({ status: 'expired', verification })], true);
    expect(await copyButton()).toBeInTheDocument();
    expect(screen.queryByLabelText('6-digit code')).not.toBeInTheDocument();
  });

  it('that were asked for in another browser are not asked for here', async () => {
    const { user, state } = await openData([aPending({ verification: null })], true);
    await user.click(await copyButton());
    await waitFor(() => expect(codeInput()).toHaveFocus());
    expect(state.made).toEqual(['export']);
  });

  it('until when they work is said by the clock of the visitor', async () => {
    vi.setSystemTime(new Date(2026, 10, 21, 15, 4));
    const expiresAt = new Date(2026, 10, 18, 14, 54).toISOString();
    const verification = { ...aPending().verification!, expiresAt };
    await openData([aPending({ verification })], true);
    expect(await screen.findByText(/^To get your copy/)).toHaveTextContent(/expires at 3:14 PM\.$/);
    vi.useRealTimers();
  });

  it('that cannot be texted say so', async () => {
    const verification = { ...aPending().verification!, undeliverable: true };
    await openData([aPending({ verification })], true);
    const sentence = 'We could not text this number. Is it a mobile phone?';
    expect(await screen.findByText(sentence)).toHaveAttribute('role', 'alert');
    expect(screen.queryByText(/^To get your copy/)).not.toBeInTheDocument();
    expect(codeInput()).toBeVisible();
  });

  it('another one is sent for the same request', async () => {
    const first = aPending();
    const verification = { ...first.verification!, resendAfter: 0 };
    const { user, state } = await openData([aPending({ verification })], true);
    await user.click(await screen.findByRole('button', { name: 'Send again' }));
    expect(await screen.findByText(/^Send again in/)).toHaveTextContent(/^Send again in \d+\ss$/);
    expect(state.made).toEqual(['export']);
    await waitFor(() => expect(codeInput()).toHaveFocus());
  });

  it('a wrong one is named by its field', async () => {
    const { user } = await openData([aPending()], true);
    const body = { code: 'validation', error: 'No.', fields: { code: ['This is not the code.'] } };
    server.use(refusing('/api/users/verify', 400, body));
    await user.type(await screen.findByLabelText('6-digit code'), '111111');
    expect(await screen.findByText('This is not the code.')).toHaveClass('field-error');
    expect(codeInput()).toHaveFocus();
  });

  it('says what to do with one that no longer works, by words of its own', async () => {
    const { user } = await openData([aPending()], true);
    server.use(refusing('/api/users/verify', 410, { code: 'verification_expired', error: 'No.' }));
    await user.type(await screen.findByLabelText('6-digit code'), '111111');
    expect(await screen.findByText(/^This code no longer works/)).toHaveAttribute('role', 'alert');
  });

  it('says so too where the page that is asked again knows of no code any more', async () => {
    const { user, state } = await openData([aPending()], true);
    server.use(refusing('/api/users/verify', 410, { code: 'verification_expired', error: 'No.' }));
    const field = await screen.findByLabelText('6-digit code');
    state.now = [aPending({ status: 'expired', verification: null })];
    await user.type(field, '111111');
    expect(await screen.findByText(/^This code no longer works/)).toHaveAttribute('role', 'alert');
    expect(field).not.toBeInTheDocument();
    server.use(...dataServer([], true).handlers);
    await user.click(await copyButton());
    expect(await screen.findByLabelText('6-digit code')).toBeVisible();
    expect(screen.queryByText(/^This code no longer works/)).not.toBeInTheDocument();
  });

  it('says nothing of entering when a code takes too long', async () => {
    const { user } = await openData([aPending()], true);
    server.use(http.post('*/api/users/verify', () => HttpResponse.error()));
    await user.type(await screen.findByLabelText('6-digit code'), '111111');
    const alert = await screen.findByText(/could not reach/);
    expect(alert).not.toHaveTextContent(/entered/);
  });

  it('people can leave the step, and come back to it', async () => {
    const { user } = await openData([], true);
    await user.click(await copyButton());
    await user.click(await screen.findByRole('button', { name: 'Not now' }));
    expect(screen.queryByLabelText('6-digit code')).not.toBeInTheDocument();
    expect(document.activeElement).toHaveClass('data-body');
    await user.click(await copyButton());
    await waitFor(() => expect(codeInput()).toHaveFocus());
  });
});

describe('deleting the entry and data', () => {
  it('asks first, names what happens, and can be left', async () => {
    const { user, state } = await askToErase();
    const asked = await dialog();
    for (const what of [
      /entries are gone from every drawing whose list is not frozen yet/,
      /This page stops working, and so does your link for friends/,
      /no more texts/,
      /Past drawings keep an anonymous code of your entry/,
      /You cannot take this back/,
    ]) {
      expect(asked).toHaveTextContent(what);
    }
    await user.click(within(asked).getByRole('button', { name: 'Keep my entry' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(await eraseButton()).toHaveFocus();
    expect(state.made).toEqual([]);
  });

  it('ends with a calm screen, sent once by a double click, and this browser forgets', async () => {
    localStorage.setItem('tombola.drawings', '{"drawings":{"7":{"own":{}}}}');
    localStorage.setItem('tombola.ads', 'no');
    localStorage.setItem('adminSessionToken', 'of staff');
    sessionStorage.setItem('tombola.session', '01');
    sessionStorage.setItem('tombola.purchase', '{}');
    const { user, state, erase } = await askToErase();
    await user.dblClick(erase);
    expect(await farewell()).toHaveFocus();
    expect(document.title).toBe('Your data is deleted | Tombola');
    expect(state.made).toEqual(['erasure']);
    const main = within(screen.getByRole('main'));
    expect(main.queryAllByRole('button')).toEqual([]);
    expect(main.getAllByRole('link').map((each) => each.getAttribute('href'))).toEqual([
      '/welcome',
    ]);
    expect(Object.keys(sessionStorage)).toEqual([]);
    expect(Object.keys(localStorage).sort()).toEqual(['adminSessionToken', 'tombola.ads']);
  });

  it('ends messages about drawings in this browser', async () => {
    const browser = new PushBrowser();
    browser.makeSubscription();
    const { user, erase } = await askToErase();
    await user.click(erase);
    await farewell();
    await waitFor(() => expect(browser.unregister).toHaveBeenCalled());
    expect(browser.subscription).toBeNull();
    browser.remove();
  });

  it('is not asked for by a browser that blocks cookies', async () => {
    const { user, state, erase } = await askToErase();
    blockCookies();
    await user.click(erase);
    expect(await within(await dialog()).findByText(COOKIES_BLOCKED)).toHaveAttribute(
      'role',
      'alert',
    );
    expect(state.made).toEqual([]);
  });

  it('with codes, happens once the code is typed', async () => {
    const { user, state, erase } = await askToErase([], true);
    await user.click(erase);
    await waitFor(() => expect(codeInput()).toHaveFocus());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByText(/To delete your entry and data for good/)).toBeInTheDocument();
    expect(state.isErased).toBe(false);
    await user.keyboard(CODE);
    expect(await farewell()).toHaveFocus();
  });

  it('with codes, can still be left, and the dialog does not come back', async () => {
    const { user, erase } = await askToErase([], true);
    await user.click(erase);
    await user.click(await screen.findByRole('button', { name: 'Keep my entry' }));
    expect(await eraseButton()).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it.each([
    ['open_claim', /Open the link in our text about the prize, and claim the prize or decline it/],
    ['open_purchase', /Finish it, or try again in an hour/],
  ])('says what to do about %s', async (code, what) => {
    const { user, erase } = await askToErase();
    server.use(refusing(PATH, 409, { code, error: 'Conflict.' }));
    server.use(http.get(`*${PATH}`, () => HttpResponse.json({ requests: [] })));
    await user.click(erase);
    expect(await within(await dialog()).findByText(what)).toHaveAttribute('role', 'alert');
    expect(erase).toHaveAttribute('aria-disabled', 'false');
  });

  it('that was done although its answer was lost ends in the same screen', async () => {
    const { user, state, erase } = await askToErase();
    server.use(
      http.post(`*${PATH}`, () => {
        state.isErased = true;
        return HttpResponse.error();
      }),
      refusing('/api/users/7', 404, { code: 'not_found', error: 'No.' }),
    );
    await user.click(erase);
    expect(await farewell()).toBeInTheDocument();
  });

  it('in another tab shows here too, when this one is looked at', async () => {
    const { state } = await openData([aCopy()]);
    await copyLink();
    state.isErased = true;
    server.use(refusing('/api/users/7', 404, { code: 'not_found', error: 'No.' }));
    window.dispatchEvent(new Event('focus'));
    expect(await farewell()).toBeInTheDocument();
  });

  it('is not said of an entrant who is still there, in a browser that lost its cookie', async () => {
    const { state } = await openData([aCopy()]);
    await copyLink();
    state.isErased = true; // 403, and the entrant is found
    window.dispatchEvent(new Event('focus'));
    expect(await screen.findByText('No.')).toBeInTheDocument();
    expect(screen.queryByText('Your data is deleted')).not.toBeInTheDocument();
  });
});

describe('other browsers', () => {
  const button = () => screen.findByRole('button', { name: 'Sign out other browsers' });

  it('are signed out once, on a double click too', async () => {
    let calls = 0;
    server.use(
      http.post('*/api/users/7/sign-out-others', async () => {
        calls += 1;
        await delay(20);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await openData();
    await user.dblClick(await button());
    expect(await screen.findByText('Other browsers are signed out.')).toBeInTheDocument();
    expect(await button()).toBeEnabled();
    expect(calls).toBe(1);
  });

  it('stay where the server cannot be reached, which is said; the button tries again', async () => {
    server.use(
      http.post('*/api/users/7/sign-out-others', () => HttpResponse.error(), { once: true }),
      http.post('*/api/users/7/sign-out-others', () => new HttpResponse(null, { status: 204 })),
    );
    const { user } = await openData();
    await user.click(await button());
    expect(await screen.findByText(/reach/)).toHaveAttribute('role', 'alert');
    expect(screen.queryByText('Other browsers are signed out.')).toBeNull();
    await user.click(await button());
    expect(await screen.findByText('Other browsers are signed out.')).toBeInTheDocument();
  });

  it('cannot be signed out by one that was signed out itself', async () => {
    server.use(
      refusing('/api/users/7/sign-out-others', 403, {
        error: 'Please open this page in the browser that you entered with.',
        code: 'another_browser',
      }),
    );
    const { user } = await openData();
    await user.click(await button());
    expect(await screen.findByText(/^Please open this page in the browser/)).toBeInTheDocument();
  });
});
