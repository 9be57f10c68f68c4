import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REQUEST_TIMEOUT_MS } from '../../../shared/api/request';
import { enterButton, enterWith, phoneInput, renderPath } from '../../../testing/site/renderPath';
import { refusing, registering, server, type Sent } from '../../../testing/server';
import { ended, raffles } from '../../../testing/site/raffles';
import type { Tracked } from '../../lib/tracked';

const toast = async () =>
  within(await screen.findByRole('region', { name: /Notifications/ })).findByRole('listitem');

let sent: Sent[];
beforeEach(() => {
  sent = [];
  server.use(registering({}, sent));
});

describe('the sign-up page of a raffle that has ended', () => {
  it("leads to its drawings, and with a friend's code to the open raffles", async () => {
    await renderPath('/garden-bag/ref/CDFG3467', ended('garden-bag', 'fresh-sips'));
    expect(screen.getByText('This raffle has ended')).toBeVisible();
    const open = within(screen.getByRole('region', { name: 'Open raffles' }));
    expect(open.getByRole('link', { name: 'Fresh Sips Mixology Kit' })).toHaveAttribute(
      'href',
      '/fresh-sips/ref/CDFG3467',
    );
    expect(open.getByRole('link', { name: 'See its drawings' })).toBeVisible();
    expect(screen.queryByRole('form')).not.toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.getByText('What the kit includes')).toBeVisible();
  });

  it('says so when no other is open', async () => {
    await renderPath('/garden-bag', ended('garden-bag'));
    expect(screen.getByRole('heading', { name: 'No raffle is open now' })).toBeVisible();
  });
});

describe('the sign-up page', () => {
  it.each(Object.values(raffles))(
    'of $key says what can be won, that it is free, and how',
    async (raffle) => {
      await renderPath(`/${raffle.key}`);
      expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(raffle.title);
      expect(screen.getByText('Free Monthly Raffle, No Purchase Required')).toBeInTheDocument();
      expect(screen.getByText(raffle.description)).toBeInTheDocument();
      for (const { item, valueInCents } of raffle.kit) {
        const row = screen.getByText(item).closest('li');
        expect(row).toHaveTextContent(`$${valueInCents / 100}`);
      }
      expect(screen.getAllByText('$150+').length).toBeGreaterThan(0);
      expect(screen.getByText(/a victory text if you win/)).toBeInTheDocument();
      expect(enterButton()).toHaveTextContent('Enter Free Raffle Now');
    },
  );

  it.each(['fresh-sips', 'kitchen-garden', 'sustainable-living'])(
    'of %s names the next drawing as the spec does in August 2025',
    async (key) => {
      vi.useFakeTimers({ now: new Date('2025-08-15T12:00:00Z'), toFake: ['Date'] });
      await renderPath(`/${key}`);
      vi.useRealTimers();
      expect(screen.getByText(/^Next Drawing:/)).toHaveTextContent(
        'Next Drawing: September 1st, 2025',
      );
    },
  );

  it('asks for a telephone number with the right keyboard and autofill', async () => {
    await renderPath('/garden-bag');
    const input = phoneInput();
    expect(input).toHaveAttribute('type', 'tel');
    expect(input).toHaveAttribute('inputmode', 'tel');
    expect(input).toHaveAttribute('autocomplete', 'tel');
    expect(input).toBeRequired();
    expect(screen.getAllByRole('textbox')).toHaveLength(1);
  });

  it('leaves the consent to texts unticked, and says what it is', async () => {
    await renderPath('/garden-bag');
    const box = screen.getByRole('checkbox', { name: /at most 1 text per month/ });
    expect(box).not.toBeChecked();
    expect(box).toHaveAccessibleName(/Optional/);
    expect(box).toHaveAccessibleName(/STOP/);
  });

  it.each(Object.values(raffles))('of $key states the age and residence', async ({ key }) => {
    await renderPath(`/${key}`);
    expect(phoneInput()).toHaveAccessibleDescription(
      /You must be 18 or older and live in the United States\. See the official rules\.$/,
    );
  });

  it.each(Object.values(raffles))(
    'of $key says that a number is in one raffle',
    async ({ key }) => {
      await renderPath(`/${key}`);
      expect(phoneInput()).toHaveAccessibleDescription(/One raffle per phone number\./);
    },
  );

  it('links to the official rules beside the form', async () => {
    await renderPath('/garden-bag');
    expect(screen.getByRole('link', { name: 'official rules' })).toHaveAttribute('href', '/rules');
  });
});

describe("a friend's link that the tab has opened", () => {
  const KEY = 'tombola.link';
  const { dataset } = document.documentElement; // as the boot script leaves it
  const opened = (path: string) => {
    sessionStorage.setItem(KEY, path);
    dataset.referred = '';
  };
  afterEach(() => {
    sessionStorage.clear();
    delete dataset.referred;
  });

  it('counts on every sign-up page, until the tab has entered', async () => {
    opened('/garden-bag/ref/CDFG3467%E2%80%9D.');
    server.use(registering({ landingPage: 'fresh-sips' }, sent));
    const { user } = await renderPath('/fresh-sips');
    expect(dataset.referred).toBe('');
    await enterWith(user, '5551234567');
    await waitFor(() => expect(location.pathname).toBe('/fresh-sips/success/7'));
    expect(sent[0]).toMatchObject({
      path: '/api/users/register-referred',
      body: { landingPage: 'fresh-sips', referralCode: 'CDFG3467' },
    });
    expect(sessionStorage.getItem(KEY)).toBeNull();
    expect(dataset.referred).toBeUndefined();
  });

  it('gives way to the code of the address', async () => {
    opened('/garden-bag/ref/CDFG3467');
    const { user } = await renderPath('/fresh-sips/ref/MNPQRTVW');
    await enterWith(user, '5551234567');
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ referralCode: 'MNPQRTVW' }));
  });

  it('is forgotten where it has no code in it', async () => {
    opened('/garden-bag/ref/CDFG346');
    const { user } = await renderPath('/garden-bag/ref/CDFG346');
    expect(dataset.referred).toBeUndefined();
    await enterWith(user, '5551234567');
    await waitFor(() => expect(sent[0]?.path).toBe('/api/users/register'));
  });
});

describe('entering', () => {
  it('sends the number, trimmed, with an event id, and shows the success screen', async () => {
    const { user } = await renderPath('/fresh-sips');
    server.use(registering({ landingPage: 'fresh-sips' }, sent));
    await enterWith(user, '  (555) 123-4567 ');
    const heading = { level: 1, name: 'Fresh Sips Success!' };
    await waitFor(() => expect(screen.getByRole('heading', heading)).toHaveFocus());
    expect(location.pathname).toBe('/fresh-sips/success/7');
    expect(document.title).toBe('Fresh Sips Success! | Tombola');
    expect(sent).toEqual([
      {
        path: '/api/users/register',
        body: {
          phoneNumber: '(555) 123-4567',
          landingPage: 'fresh-sips',
          event_id: expect.stringMatching(/^[a-z0-9]{12}$/) as string,
          smsConsent: false,
        },
      },
    ]);
    expect(await toast()).toHaveTextContent(
      "Registration successful!You're now entered to win the Fresh Sips Mixology Kit!",
    );
  });

  it('sends the consent when it was given', async () => {
    const { user } = await renderPath('/garden-bag');
    await user.click(screen.getByRole('checkbox'));
    await enterWith(user, '5551234567');
    await waitFor(() => expect(sent[0]?.body.smsConsent).toBe(true));
  });

  it('never changes what is being typed', async () => {
    const { user } = await renderPath('/garden-bag');
    await user.type(phoneInput(), '+1 (555)123 45-67');
    expect(phoneInput()).toHaveValue('+1 (555)123 45-67');
  });

  it('says Entering... while the request is on its way, and sends no second one', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    server.use(
      http.post('*/api/users/register', async () => {
        calls += 1;
        await released;
        return HttpResponse.json({ error: 'No' }, { status: 500 });
      }),
    );
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    await waitFor(() => expect(calls).toBe(1));
    expect(enterButton()).toHaveTextContent('Entering...');
    await user.click(enterButton());
    await user.type(phoneInput(), '{Enter}');
    expect(enterButton()).toHaveTextContent('Entering...');
    release();
    await waitFor(() => expect(enterButton()).toHaveTextContent('Enter Free Raffle Now'));
    expect(calls).toBe(1);
  });

  it('goes back to the form with the back button', async () => {
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    await screen.findByRole('heading', { level: 1, name: 'Garden Bag Success!' });
    history.back();
    expect(await screen.findByLabelText('Phone number')).toHaveValue('');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Win the Garden Bag');
  });

  it('replays a submit that came before the application', async () => {
    const release = vi.fn(() => (window.early = undefined));
    window.early = { held: true, release };
    await renderPath('/garden-bag');
    // The number is empty here, so the rules answer: what counts is that somebody did.
    expect(await screen.findByText('Phone number must be at least 10 digits')).toBeInTheDocument();
    expect(release).toHaveBeenCalledOnce();
  });

  it.each([true, false])(
    'reports a new sign-up to the tracking script, with its event id; new: %s',
    async (isNew) => {
      const tracked: unknown[] = [];
      window.tracked = { push: (event) => tracked.push(event) };
      server.use(registering({ isNew }, sent));
      const { user, leave } = await renderPath('/garden-bag');
      await enterWith(user, '5551234567');
      if (isNew) await screen.findByRole('heading', { name: 'Garden Bag Success!' });
      else await waitFor(() => expect(leave).toHaveBeenCalled());
      delete window.tracked;
      const signUp = { kind: 'sign_up', eventId: sent[0]?.body.event_id };
      expect(tracked).toEqual(isNew ? [signUp, { kind: 'page_view' }] : []);
    },
  );

  it('reports a lead too when a new entrant agrees to texts', async () => {
    const tracked: Tracked[] = [];
    window.tracked = { push: (event) => tracked.push(event) };
    const { user } = await renderPath('/garden-bag');
    await user.click(screen.getByRole('checkbox'));
    await enterWith(user, '5551234567');
    await screen.findByRole('heading', { name: 'Garden Bag Success!' });
    await waitFor(() =>
      expect(tracked.map(({ kind }) => kind)).toEqual(['sign_up', 'lead_capture', 'page_view']),
    );
    delete window.tracked;
    const ids = tracked.flatMap((event) => ('eventId' in event ? [event.eventId] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it('brings those who were in before to their own raffle, without the toast of success', async () => {
    server.use(registering({ isNew: false, landingPage: 'kitchen-garden' }, sent));
    const { user, leave } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/kitchen-garden/success/7?again'));
    expect(screen.queryByText('Registration successful!')).not.toBeInTheDocument();
  });
});

it('brings those who moved to their new raffle, whose page says so', async () => {
  server.use(
    registering({ isNew: false, landingPage: 'garden-bag', movedFrom: 'kitchen-garden' }, sent),
  );
  const { user, leave } = await renderPath('/garden-bag');
  await enterWith(user, '5551234567');
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/garden-bag/success/7?moved'));
});

describe('entering through a friend', () => {
  it('sends the code and says so', async () => {
    const { user } = await renderPath('/garden-bag/ref/CDFG3467');
    await enterWith(user, '5551234567');
    await screen.findByRole('heading', { level: 1, name: 'Garden Bag Success!' });
    expect(sent[0]).toMatchObject({
      path: '/api/users/register-referred',
      body: { referralCode: 'CDFG3467', phoneNumber: '5551234567', landingPage: 'garden-bag' },
    });
    expect(await toast()).toHaveTextContent(
      "Successfully registered!You've been entered via referral link.",
    );
  });

  it('enters the default raffle from the page without one, and ends on the generic screen', async () => {
    const { user } = await renderPath('/ref/CDFG3467');
    await enterWith(user, '5551234567');
    expect(
      await screen.findByRole('heading', { level: 1, name: "You're Entered!" }),
    ).toBeInTheDocument();
    expect(location.pathname).toBe('/success/7');
    expect(sent[0]?.body).toMatchObject({ landingPage: 'garden-bag', referralCode: 'CDFG3467' });
  });

  it.each([
    [404, { error: 'Referral code not found', code: 'referral_code_not_found' }],
    [400, { error: 'Please check.', code: 'validation', fields: { referralCode: ['Unknown.'] } }],
  ])('offers to enter without a code that the server answers with %i', async (status, body) => {
    server.use(refusing('/api/users/register-referred', status, body));
    sessionStorage.setItem('tombola.link', '/fresh-sips/ref/WRNGCDFG');
    document.documentElement.dataset.referred = '';
    const { user } = await renderPath('/fresh-sips/ref/WRNGCDFG');
    await enterWith(user, '555-123-4567');
    expect(await screen.findByRole('alert')).toHaveTextContent(/don't recognize this code/);
    expect(await screen.findByText('Registration failed')).toBeVisible();
    expect(await screen.findByText('Please try again later.')).toBeVisible();
    expect(phoneInput()).toHaveValue('555-123-4567');
    // What works is the button to press, and nothing speaks of the referral any more.
    const without = screen.getByRole('button', { name: 'Enter without a referral' });
    expect(without).not.toHaveClass('quiet');
    expect(enterButton()).toHaveClass('quiet');
    expect(document.documentElement.dataset.referred).toBeUndefined();
    expect(sessionStorage.getItem('tombola.link')).toBeNull();

    await user.click(without);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.path).toBe('/api/users/register');
    expect(sent[0]?.body).toMatchObject({ phoneNumber: '555-123-4567', landingPage: 'fresh-sips' });
    expect(sent[0]?.body).not.toHaveProperty('referralCode');
  });

  it('stays without the unknown code when entering without it fails', async () => {
    server.use(
      refusing('/api/users/register-referred', 404, { code: 'referral_code_not_found' }),
      http.post('*/api/users/register', () => HttpResponse.error(), { once: true }),
    );
    const { user } = await renderPath('/fresh-sips/ref/WRNGCDFG');
    await enterWith(user, '555-123-4567');
    await user.click(await screen.findByRole('button', { name: 'Enter without a referral' }));
    await screen.findByText(/could not reach Tombola/);
    expect(enterButton()).not.toHaveClass('quiet');
    await user.click(enterButton());
    await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['/api/users/register']));
  });

  it('says that it failed, and keeps the number', async () => {
    server.use(refusing('/api/users/register-referred', 500, { error: 'Something broke.' }));
    const { user } = await renderPath('/garden-bag/ref/CDFG3467');
    await enterWith(user, '5551234567');
    expect(await toast()).toHaveTextContent('Registration failedPlease try again later.');
    expect(phoneInput()).toHaveValue('5551234567');
  });
});

describe('a number that cannot be right', () => {
  it.each([
    ['555', 'Phone number must be at least 10 digits'],
    ['555123456755512345675', 'Phone number is too long'],
    [
      'call me maybe',
      'Phone number can only contain digits, spaces, dashes, parentheses, and plus sign',
    ],
  ])('%s is named by the field, focused, and not sent', async (phone, message) => {
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, phone);
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(phoneInput()).toHaveFocus();
    expect(phoneInput()).toBeInvalid();
    expect(phoneInput()).toHaveAccessibleDescription(new RegExp(message));
    expect(await toast()).toHaveTextContent(
      'Invalid phone numberPlease enter a valid phone number.',
    );
    expect(sent).toEqual([]);
  });

  it('is not spoken of any more once another one is sent', async () => {
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '555');
    expect(await toast()).toHaveTextContent('Invalid phone number');
    server.use(http.post('*/api/users/register', () => delay('infinite')));
    await enterWith(user, '1234567');
    expect(enterButton()).toHaveTextContent('Entering...');
    expect(screen.queryByText('Invalid phone number')).not.toBeInTheDocument();
  });

  it('is named by the field when only the server can tell', async () => {
    server.use(
      refusing('/api/users/register', 400, {
        error: 'Please check the form.',
        code: 'validation',
        fields: { phoneNumber: ['Please enter a valid phone number.'] },
      }),
    );
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '----------');
    await waitFor(() => expect(phoneInput()).toBeInvalid());
    expect(phoneInput()).toHaveAccessibleDescription(/Please enter a valid phone number\./);
    expect(phoneInput()).toHaveFocus();
    expect(phoneInput()).toHaveValue('----------');
  });
});

describe('a sign-up that fails', () => {
  it.each([
    [
      '429 with its wait',
      429,
      { error: 'Too many.' },
      { 'Retry-After': '30' },
      'Too many tries from this network. Please try again in 30 seconds.',
    ],
    [
      '503 with its wait',
      503,
      { error: 'Away.' },
      { 'Retry-After': '120' },
      'We cannot take entries right now. Please try again in 2 minutes.',
    ],
    [
      '503 without one',
      503,
      '',
      {},
      'We cannot take entries right now. Please try again in a few minutes.',
    ],
    [
      'a sentence of the server',
      409,
      { error: 'The raffle is closed.' },
      {},
      'The raffle is closed.',
    ],
    [
      'a page of a proxy',
      502,
      '<html>Bad gateway</html>',
      {},
      'Something went wrong on our side. Please try again in a few minutes.',
    ],
  ])('with %s says what to do and keeps the number', async (_, status, body, headers, sentence) => {
    server.use(refusing('/api/users/register', status, body, headers));
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(phoneInput()).toHaveValue('5551234567');
    expect(enterButton()).toHaveTextContent('Enter Free Raffle Now');
  });

  it("shows the toast with the message of the server, or without one the spec's", async () => {
    server.use(refusing('/api/users/register', 409, { error: 'The raffle is closed.' }));
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    expect(await toast()).toHaveTextContent('Registration failedThe raffle is closed.');

    server.use(refusing('/api/users/register', 500, ''));
    await user.click(enterButton());
    await waitFor(async () =>
      expect(await toast()).toHaveTextContent('Registration failedPlease try again.'),
    );
  });

  it('tells people who are offline that they are', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    server.use(http.post('*/api/users/register', () => HttpResponse.error()));
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    expect(await screen.findByRole('alert')).toHaveTextContent(/You seem to be offline/);
    expect(phoneInput()).toHaveValue('5551234567');
  });

  it('works the next time, with the same event id', async () => {
    server.use(http.post('*/api/users/register', () => HttpResponse.error(), { once: true }));
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    await screen.findByText(/could not reach Tombola/);
    await user.click(enterButton());
    await screen.findByRole('heading', { level: 1, name: 'Garden Bag Success!' });
    expect(sent).toHaveLength(1);
  });

  it('gives up on an answer that does not come, and says so', async () => {
    const inTime = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms?: number) =>
      inTime(run, ms === REQUEST_TIMEOUT_MS ? 0 : ms),
    );
    server.use(http.post('*/api/users/register', () => delay('infinite')));
    const { user } = await renderPath('/garden-bag');
    await enterWith(user, '5551234567');
    expect(await screen.findByRole('alert')).toHaveTextContent(/That took too long/);
    expect(phoneInput()).toHaveValue('5551234567');
  });
});
