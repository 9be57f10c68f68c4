import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aVerification,
  codeInput,
  CODE,
  confirming,
  resending,
  turnCodesOn,
  withCodes,
} from '../../../testing/site/codes';
import { enterButton, enterWith, phoneInput, renderPath } from '../../../testing/site/renderPath';
import { refusing, registering, server, type Sent } from '../../../testing/server';
import type { Tracked } from '../../lib/tracked';
import { CODE_KEY } from '../../lib/early';

const NUMBER = '(555) 123-4567';
const stepTitle = () => screen.findByRole('heading', { level: 2, name: 'Enter your code' });
const success = () => screen.findByRole('heading', { level: 1, name: 'Garden Bag Success!' });
const again = () => screen.findByRole('button', { name: 'Send again' });
const alertText = async (text: string | RegExp) =>
  waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
const kept = () => JSON.parse(sessionStorage.getItem(CODE_KEY) ?? 'null') as object | null;

let sent: Sent[];
beforeEach(() => {
  sent = [];
  sessionStorage.clear();
  turnCodesOn();
  server.use(...withCodes(sent));
});
afterEach(() => {
  document.head.replaceChildren();
  delete window.tracked;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Up to the second step; the click that is meant is that of the first. */
async function openStep(path = '/garden-bag') {
  const page = await renderPath(path);
  await enterWith(page.user, NUMBER);
  await stepTitle();
  return page;
}

const verified = () => sent.filter(({ path }) => path === '/api/users/verify');

describe('the form where numbers are proved', () => {
  it('says that a code is texted, and how to get a page back', async () => {
    await renderPath('/garden-bag');
    expect(
      screen.getByText('Already entered? Enter the same number to see your entries.'),
    ).toBeVisible();
    expect(phoneInput()).toHaveAccessibleDescription(
      /^We'll text you a code\. You'll get a welcome text, and a victory text if you win\. Message and data rates may apply\./,
    );
  });

  it('says nothing of codes where there are none', async () => {
    document.head.replaceChildren();
    await renderPath('/garden-bag');
    expect(screen.getByText(/^Already entered\?/)).not.toBeVisible();
    expect(phoneInput()).toHaveAccessibleDescription(/^You'll get a welcome text, and/);
  });
});

describe('the step for the code', () => {
  it('has the focus in its field, says where the code went, and asks for it as phones fill it in', async () => {
    await openStep();
    expect(codeInput()).toHaveFocus();
    expect(screen.queryByLabelText('Phone number')).not.toBeInTheDocument();
    expect(codeInput()).toHaveAttribute('inputmode', 'numeric');
    expect(codeInput()).toHaveAttribute('autocomplete', 'one-time-code');
    expect(codeInput()).toHaveAccessibleDescription(
      /^We texted a 6-digit code to \(555\) 123-4567\. It expires at \d+:\d\d [AP]M\.$/,
    );
    expect(screen.getByRole('region', { name: 'Enter your code' })).toBeInTheDocument();
    expect(screen.getByText(/If you ever replied STOP, text START to/)).toHaveTextContent(
      'If you ever replied STOP, text START to (555) 010-0000 first.',
    );
  });

  it('comes too where the page does not know yet that codes are on', async () => {
    document.head.replaceChildren();
    await openStep();
    expect(codeInput()).toBeVisible();
  });

  it('says that the number was entered only once the code is confirmed', async () => {
    const { user } = await openStep();
    expect(screen.queryByText('Registration successful!')).not.toBeInTheDocument();
    await user.type(codeInput(), CODE);
    const heading = await success();
    await waitFor(() => expect(heading).toHaveFocus()); // an effect, after the heading is there
    expect(location.pathname).toBe('/garden-bag/success/7');
    expect(await screen.findByText('Registration successful!')).toBeVisible();
    expect(verified()).toEqual([
      { path: '/api/users/verify', body: { verificationId: aVerification().id, code: CODE } },
    ]);
    expect(kept()).toBeNull();
  });

  it('is skipped for a browser that has proved the number before', async () => {
    server.use(registering({ isNew: false }, sent));
    const { user, leave } = await renderPath('/garden-bag');
    await enterWith(user, NUMBER);
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/garden-bag/success/7?again'));
    expect(screen.queryByText('Enter your code')).not.toBeInTheDocument();
  });

  it('brings a returning entrant to their own page, without the toast of success', async () => {
    server.use(confirming({ isNew: false, landingPage: 'kitchen-garden' }, sent));
    const { user, leave } = await openStep();
    await user.type(codeInput(), CODE);
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/kitchen-garden/success/7?again'));
    expect(screen.queryByText('Registration successful!')).not.toBeInTheDocument();
    // Until the other page is there, this one does not offer to do it again.
    expect(screen.getByRole('button', { name: 'Checking...' })).toBeInTheDocument();
  });

  it('says so to a friend who came through a link', async () => {
    const { user } = await openStep('/garden-bag/ref/CDFG3467');
    await user.type(codeInput(), CODE);
    await success();
    expect(await screen.findByText('Successfully registered!')).toBeVisible();
  });

  it('ends on the generic screen after the page without a theme', async () => {
    const { user } = await openStep('/ref/CDFG3467');
    await user.type(codeInput(), CODE);
    await screen.findByRole('heading', { level: 1, name: "You're Entered!" });
    expect(location.pathname).toBe('/success/7');
  });

  it.each(['/ref/WRNGCDFG', '/garden-bag/ref/WRNGCDFG'])(
    'is not reached with a code of a friend that nobody has: %s',
    async (path) => {
      const body = { error: 'Referral code not found', code: 'referral_code_not_found' };
      server.use(refusing('/api/users/register-referred', 404, body));
      const { user } = await renderPath(path);
      await enterWith(user, NUMBER);
      await alertText(/don't recognize this code/);
      expect(await screen.findByText('Registration failed')).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Enter without a referral' }));
      await stepTitle();
      expect(screen.queryByText('Registration failed')).not.toBeInTheDocument();
      await user.type(codeInput(), CODE);
      expect(await screen.findByText('Registration successful!')).toBeVisible();
    },
  );
});

describe('the code', () => {
  it.each(['123456', '123 456', ' 123-456'])(
    'is sent by itself when "%s" is pasted',
    async (text) => {
      const { user } = await openStep();
      await user.click(codeInput());
      await user.paste(text);
      await success();
      expect(verified().map(({ body }) => body.code)).toEqual([CODE]);
    },
  );

  it('is sent by itself when the browser fills it in', async () => {
    await openStep();
    fireEvent.change(codeInput(), { target: { value: CODE } });
    await success();
    expect(verified()).toHaveLength(1);
  });

  it('is sent once, however often it is confirmed', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    server.use(
      http.post('*/api/users/verify', async ({ request }) => {
        sent.push({ path: new URL(request.url).pathname, body: {} });
        await released;
        return HttpResponse.json({ error: 'No' }, { status: 500 });
      }),
    );
    const { user } = await openStep();
    await user.type(codeInput(), CODE);
    const button = await screen.findByRole('button', { name: 'Checking...' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.click(button);
    await user.type(codeInput(), '{Enter}');
    release();
    await screen.findByRole('button', { name: 'Confirm code' });
    expect(verified()).toHaveLength(1);
  });

  it('that is too short is named by the field, focused, and not sent', async () => {
    const { user } = await openStep();
    await user.type(codeInput(), '1234{Enter}');
    expect(await screen.findByText('Enter the 6 digits of the code')).toBeVisible();
    expect(codeInput()).toBeInvalid();
    expect(codeInput()).toHaveAccessibleDescription(/^Enter the 6 digits of the code/);
    expect(codeInput()).toHaveFocus();
    expect(verified()).toEqual([]);
  });

  it('that is wrong is named by the field and selected, and the next one is sent by itself', async () => {
    const wrong = "That code isn't right. 3 tries left.";
    server.use(
      refusing('/api/users/verify', 400, {
        error: 'Please check the form.',
        code: 'validation',
        fields: { code: [wrong] },
      }),
    );
    const { user } = await openStep();
    await user.type(codeInput(), '654321');
    expect(await screen.findByText(wrong)).toBeVisible();
    expect(codeInput()).toHaveFocus();
    expect(codeInput()).toBeInvalid();
    expect(codeInput()).toHaveAccessibleDescription(new RegExp(`^${wrong}`));
    // What is typed next takes its place.
    expect([codeInput().selectionStart, codeInput().selectionEnd]).toEqual([0, 6]);
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();

    server.use(confirming({}, sent));
    await user.keyboard('12'); // nothing is said of a code that is being typed
    expect(codeInput()).toBeValid();
    expect(codeInput()).toHaveValue('12');
    await user.keyboard(CODE.slice(2));
    await success();
    expect(verified().map(({ body }) => body.code)).toEqual([CODE]);
  });

  describe('that was wrong', () => {
    const wrong = (tries: number) => `That code isn't right. ${tries} tries left.`;
    const refuseAll = () => {
      const tried: unknown[] = [];
      server.use(
        http.post('*/api/users/verify', async ({ request }) => {
          tried.push(((await request.json()) as Sent['body']).code);
          const fields = { code: [wrong(5 - tried.length)] };
          const body = { error: 'Please check the form.', code: 'validation', fields };
          return HttpResponse.json(body, { status: 400 });
        }),
      );
      return tried;
    };
    const says = async (words: string) =>
      waitFor(() => expect(codeInput()).toHaveAccessibleDescription(new RegExp(`^${words}`)));

    it('is not sent again, and the same is said of it', async () => {
      const tried = refuseAll();
      const { user } = await openStep();
      await user.type(codeInput(), '654321');
      await says(wrong(4));
      await user.click(screen.getByRole('button', { name: 'Confirm code' }));
      await says(wrong(4));
      expect(codeInput()).toHaveFocus();
      await user.type(codeInput(), '{Backspace}');
      expect(codeInput()).toBeValid();
      await user.type(codeInput(), '1');
      await says(wrong(4));
      await user.clear(codeInput());
      await user.paste('654 321');
      await says(wrong(4));
      expect(tried).toEqual(['654321']);
    });

    it('is not sent again after another one, whose tries are still those that are left', async () => {
      const tried = refuseAll();
      const { user } = await openStep();
      await user.type(codeInput(), '654321');
      await says(wrong(4));
      await user.keyboard('654322');
      await says(wrong(3));
      await user.keyboard('654321');
      await says(wrong(3));
      expect(tried).toEqual(['654321', '654322']);
    });

    it('may be right once another code was sent', async () => {
      server.use(...withCodes(sent, { resendAfter: 0 }));
      const tried = refuseAll();
      const { user } = await openStep();
      await user.type(codeInput(), CODE);
      await says(wrong(4));
      await user.click(await again());
      await screen.findByText(/^We sent a new code/);
      server.use(confirming({}, sent));
      await user.type(codeInput(), CODE);
      await success();
      expect(tried).toEqual([CODE]);
    });
  });

  it('can be entered with the keyboard alone', async () => {
    const { user } = await openStep();
    expect(codeInput()).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Confirm code' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Change number' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('link', { name: '(555) 010-0000' })).toHaveFocus();
    await user.tab({ shift: true });
    await user.keyboard('{Enter}');
    expect(await screen.findByLabelText('Phone number')).toHaveFocus();
  });
});

describe('a code that is worth nothing any more', () => {
  it('leads back to the number, which is kept, and to a new code', async () => {
    server.use(
      refusing('/api/users/verify', 410, { error: 'Gone.', code: 'verification_expired' }),
    );
    const { user } = await openStep();
    await user.type(codeInput(), CODE);
    await alertText('This code no longer works: a code is good for 10 minutes and 5 tries.');
    expect(phoneInput()).toHaveValue(NUMBER);
    expect(phoneInput()).toHaveFocus();
    expect(kept()).toBeNull();

    server.use(...withCodes(sent));
    await user.click(screen.getByRole('button', { name: 'Get a new code' }));
    await stepTitle();
    const sentNumbers = sent.filter(({ path }) => path === '/api/users/register');
    expect(sentNumbers.map(({ body }) => body.phoneNumber)).toEqual([NUMBER, NUMBER]);
    expect(sentNumbers[0]?.body.event_id).toBe(sentNumbers[1]?.body.event_id);
  });

  it('leads back too when it was used already', async () => {
    server.use(refusing('/api/users/verify', 409, { error: 'Used.', code: 'verification_used' }));
    const { user } = await openStep();
    await user.type(codeInput(), CODE);
    await alertText('This code was used already. Enter your number again to get your page back.');
    expect(phoneInput()).toHaveValue(NUMBER);
    expect(enterButton()).toHaveTextContent('Enter Free Raffle Now');
    expect(kept()).toBeNull();
  });
});

describe('a call that fails', () => {
  it.each([
    [
      '429',
      429,
      'rate_limited',
      'Too many tries from this network. Please try again in 40 seconds.',
    ],
    ['503', 503, 'busy', 'We cannot take entries right now. Please try again in 40 seconds.'],
  ])('with %s says so and keeps the code', async (_, status, code, sentence) => {
    server.use(
      refusing('/api/users/verify', status, { error: 'No.', code }, { 'Retry-After': '40' }),
    );
    const { user } = await openStep();
    await user.type(codeInput(), CODE);
    await alertText(sentence);
    expect(codeInput()).toHaveValue(CODE);
  });

  it('without a network keeps the code, and works once there is one', async () => {
    server.use(http.post('*/api/users/verify', () => HttpResponse.error(), { once: true }));
    const { user } = await openStep();
    await user.type(codeInput(), CODE);
    await alertText(/could not reach Tombola/);
    expect(codeInput()).toHaveValue(CODE);
    await user.click(screen.getByRole('button', { name: 'Confirm code' }));
    await success();
  });

  it('without an answer is made again when the same digits are typed again', async () => {
    server.use(http.post('*/api/users/verify', () => HttpResponse.error(), { once: true }));
    const { user } = await openStep();
    await user.type(codeInput(), CODE);
    await alertText(/could not reach Tombola/);
    await user.type(codeInput(), `{Backspace}${CODE.slice(-1)}`);
    await success();
  });

  it.each([
    [429, 'too_many_codes', 'We cannot send a code right now. Please try again in 40 seconds.'],
    [503, 'texts_not_configured', 'Nobody can enter right now.'],
    [503, 'texts_used_up', 'No more texts can be sent today. Please try again tomorrow.'],
  ])('of the first step with %i says what the server says', async (status, code, error) => {
    const headers = { 'Retry-After': '40' };
    server.use(refusing('/api/users/register', status, { error, code }, headers));
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, NUMBER);
    await alertText(error);
    expect(phoneInput()).toHaveValue(NUMBER);
  });

  it('of the first step names a number that cannot be texted', async () => {
    const fields = { phoneNumber: ['We can only text numbers of the United States and Canada.'] };
    const body = { error: 'Please check the form.', code: 'validation', fields };
    server.use(refusing('/api/users/register', 400, body));
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '+44 20 7946 0000');
    expect(await screen.findByText(/can only text numbers/)).toBeVisible();
    expect(phoneInput()).toHaveFocus();
  });
});

describe('another number', () => {
  it('is asked for with the first one kept, and what was ticked', async () => {
    const { user } = await renderPath('/garden-bag');
    await user.click(screen.getByRole('checkbox'));
    await enterWith(user, NUMBER);
    await stepTitle();
    await user.click(screen.getByRole('button', { name: 'Change number' }));
    expect(phoneInput()).toHaveValue(NUMBER);
    expect(phoneInput()).toHaveFocus();
    expect(screen.getByRole('checkbox')).toBeChecked();
    expect(screen.getByRole('heading', { name: 'Your free entry' })).toBeInTheDocument();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    expect(kept()).toBeNull();
    await user.keyboard('5557654321'); // the first one is selected
    expect(phoneInput()).toHaveValue('5557654321');
  });

  it('is where the back button leads, and nothing is done twice by it', async () => {
    const { user } = await renderPath('/garden-bag');
    await user.click(screen.getByRole('checkbox'));
    await enterWith(user, NUMBER);
    await stepTitle();
    history.back();
    expect(await screen.findByLabelText('Phone number')).toHaveValue(NUMBER);
    expect(phoneInput()).toHaveFocus();
    expect(screen.getByRole('checkbox')).toBeChecked();
    await user.click(enterButton());
    await stepTitle();
    await user.type(codeInput(), CODE);
    await success();
    history.back();
    expect(await screen.findByLabelText('Phone number')).toHaveValue('');
  });

  it('is left by the forward button, which leads to the code that was sent', async () => {
    await openStep();
    const waiting = kept();
    history.back();
    await screen.findByLabelText('Phone number');
    history.forward();
    await stepTitle();
    expect(codeInput()).toHaveFocus();
    expect(kept()).toEqual(waiting);
    history.back();
    await screen.findByLabelText('Phone number');
    expect(kept()).toBeNull();
  });

  it('is not left by the forward button for a code that has expired', async () => {
    await openStep();
    history.back();
    await screen.findByLabelText('Phone number');
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] });
    history.forward();
    await alertText(/no longer works/);
    expect(phoneInput()).toHaveValue(NUMBER);
  });

  it('is not where a link within the page leads', async () => {
    await openStep();
    act(() => {
      history.pushState(null, '', '#main');
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    });
    expect(codeInput()).toBeVisible();
  });
});

describe('the code, sent again', () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));

  const later = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

  async function open(resendAfter: number) {
    server.use(...withCodes(sent, { resendAfter }));
    await renderPath('/garden-bag');
    await enterWith(user, NUMBER);
    await stepTitle();
  }

  it('is offered after a countdown whose end is announced, and not each second', async () => {
    await open(42);
    expect(screen.getByText(/^Send again in/)).toHaveTextContent('Send again in 42 s');
    const translated = document.createElement('font'); // as a page translator leaves the number
    screen.getByText('42').replaceChildren(translated);
    expect(screen.queryByRole('button', { name: 'Send again' })).not.toBeInTheDocument();
    const statuses = screen.getAllByRole('status');
    await later(12);
    expect(screen.getByText(/^Send again in/)).toHaveTextContent(/^Send again in (29|30) s$/);
    for (const status of statuses) expect(status).toBeEmptyDOMElement();
    await later(31);
    expect(await again()).toBeVisible();
    expect(screen.getByText('You can have the code sent again now.')).toHaveAttribute(
      'role',
      'status',
    );
  });

  it('empties the field, says so, and counts down again', async () => {
    await open(0);
    await user.type(codeInput(), '123');
    await user.dblClick(await again());
    expect(await screen.findByText('We sent a new code. Use that one.')).toBeVisible();
    expect(codeInput()).toHaveValue('');
    expect(codeInput()).toHaveFocus();
    expect(screen.getByText(/^Send again in/)).toHaveTextContent(/^Send again in (59|60) s$/);
    const asked = sent.filter(({ path }) => path === '/api/users/verify/resend');
    expect(asked.map(({ body }) => body)).toEqual([{ verificationId: aVerification().id }]);
    await user.type(codeInput(), CODE);
    await success();
  });

  it('never counts from more than a minute, however old the clock was', async () => {
    await open(0);
    await later(600);
    await user.click(await again());
    expect(await screen.findByText(/^Send again in/)).toHaveTextContent(
      /^Send again in (59|60) s$/,
    );
  });

  it.each([
    [429, 'too_many_codes', 'We cannot send a code right now. Please try again in 40 seconds.'],
    [503, 'texts_used_up', 'No more texts can be sent today. Please try again tomorrow.'],
    [503, 'texts_not_configured', 'We cannot send texts right now.'],
  ])('or not: %i says what the server says, and keeps the code', async (status, code, error) => {
    await open(0);
    server.use(refusing('/api/users/verify/resend', status, { error, code }));
    await user.type(codeInput(), '123');
    await user.click(await again());
    await alertText(error);
    expect(codeInput()).toHaveValue('123');
    expect(await again()).toBeVisible();
  });

  it.each([
    [410, 'verification_expired', /no longer works/],
    [409, 'verification_used', /used already/],
  ])('or not: after %i the form is there again', async (status, code, words) => {
    await open(0);
    server.use(refusing('/api/users/verify/resend', status, { error: 'No.', code }));
    await user.click(await again());
    await alertText(words);
    expect(phoneInput()).toHaveValue(NUMBER);
  });

  it('takes back what was said when a code is confirmed after it', async () => {
    await open(0);
    server.use(refusing('/api/users/verify/resend', 503, { error: 'No.', code: 'texts_used_up' }));
    await user.click(await again());
    await alertText('No.');
    await user.type(codeInput(), '123{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).toBeEmptyDOMElement());
    server.use(resending(sent));
    await user.click(await again());
    expect(await screen.findByText(/^We sent a new code/)).toBeVisible();
  });
});

describe('a reload', () => {
  it('keeps the step, and nothing that the step does not need', async () => {
    const { unmount } = await openStep('/garden-bag/ref/CDFG3467');
    expect(Object.keys(kept() ?? {}).sort()).toEqual([
      'eventId',
      'expiresAt',
      'from',
      'id',
      'landingPage',
      'phoneNumber',
      'referralCode',
      'resendAt',
      'sentAt',
      'smsConsent',
      'undeliverable',
      'worksUntil',
    ]);
    unmount();
    document.documentElement.dataset.awaitingCode = ''; // as the boot script does
    const { user } = await renderPath('/garden-bag/ref/CDFG3467');
    await stepTitle();
    expect(codeInput()).toHaveFocus();
    expect(document.documentElement.dataset.awaitingCode).toBeUndefined();
    expect(screen.getByText('(555) 123-4567')).toBeVisible();
    await user.type(codeInput(), CODE);
    await success();
    expect(await screen.findByText('Successfully registered!')).toBeVisible();
    expect(verified()).toHaveLength(1);
  });

  it.each([
    ['20 minutes', 20],
    ['3 days', 3 * 24 * 60],
  ])('keeps the step on a device whose clock is %s fast', async (_, minutes) => {
    vi.setSystemTime(new Date(2026, 10, 21, 15, 4));
    const expiresAt = new Date(Date.now() + (10 - minutes) * 60_000).toISOString();
    server.use(...withCodes(sent, { expiresAt }));
    const { unmount } = await openStep();
    expect(screen.getByText(/^We texted/)).toHaveTextContent(/It expires at 3:14 PM\.$/);
    unmount();
    await renderPath('/garden-bag');
    await stepTitle();
    expect(codeInput()).toHaveFocus();
    expect(screen.getByText(/^We texted/)).toHaveTextContent(/It expires at 3:14 PM\.$/);
  });

  it('after the code has expired leads back to the number', async () => {
    const { unmount } = await openStep();
    unmount();
    const pending = { ...kept(), worksUntil: Date.now() - 1_000 };
    sessionStorage.setItem(CODE_KEY, JSON.stringify(pending));
    await renderPath('/garden-bag');
    await alertText(/no longer works/);
    expect(phoneInput()).toHaveValue(NUMBER);
    expect(kept()).toBeNull();
  });

  it("of another raffle's page begins with the number, and leaves the step to its own page", async () => {
    const { unmount } = await openStep();
    unmount();
    await renderPath('/fresh-sips');
    expect(phoneInput()).toHaveValue('');
    expect(kept()).not.toBeNull();
  });

  it.each(['{', 'null', '"text"', '[]'])('with %s in the storage shows the form', async (text) => {
    sessionStorage.setItem(CODE_KEY, text);
    document.documentElement.dataset.awaitingCode = '';
    await renderPath('/garden-bag');
    await waitFor(() => expect(document.documentElement.dataset.awaitingCode).toBeUndefined());
    expect(phoneInput()).toBeVisible();
  });
});

describe('what is reported', () => {
  it.each([true, false])('of a new sign-up waits for the code; new: %s', async (isNew) => {
    const tracked: Tracked[] = [];
    window.tracked = { push: (event) => tracked.push(event) };
    server.use(confirming({ isNew }, sent));
    const { user, leave } = await renderPath('/garden-bag');
    await user.click(screen.getByRole('checkbox'));
    await enterWith(user, NUMBER);
    await stepTitle();
    expect(tracked).toEqual([]);
    await user.type(codeInput(), CODE);
    if (!isNew) {
      await waitFor(() => expect(leave).toHaveBeenCalled());
      expect(tracked).toEqual([]);
      return;
    }
    await success();
    expect(tracked.map(({ kind }) => kind)).toEqual(['sign_up', 'lead_capture', 'page_view']);
    expect(tracked[0]).toEqual({ kind: 'sign_up', eventId: sent[0]?.body.event_id });
  });
});

describe('a browser that reads the text itself', () => {
  type Asked = CredentialRequestOptions & { otp: object; signal: AbortSignal };
  let asked: Asked[];
  let give: (credential: { code: string } | null) => void;

  beforeEach(() => {
    asked = [];
    vi.stubGlobal('OTPCredential', class {});
    vi.stubGlobal('navigator', {
      ...{ onLine: true, userAgent: navigator.userAgent, clipboard: navigator.clipboard },
      credentials: {
        get: (options: Asked) => {
          asked.push(options);
          return new Promise((resolve) => (give = resolve));
        },
      },
    });
  });

  it('fills in the code, and sends it', async () => {
    await openStep();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.otp).toEqual({ transport: ['sms'] });
    give({ code: CODE });
    await success();
    expect(verified().map(({ body }) => body.code)).toEqual([CODE]);
  });

  it('stops when the step is left', async () => {
    const { user } = await openStep();
    await user.click(screen.getByRole('button', { name: 'Change number' }));
    expect(asked[0]?.signal.aborted).toBe(true);
    give({ code: CODE });
    expect(phoneInput()).toHaveValue(NUMBER);
    expect(verified()).toEqual([]);
  });

  it('goes on without it when the visitor refuses', async () => {
    const { user } = await openStep();
    give(null);
    await user.type(codeInput(), CODE);
    await success();
  });
});
