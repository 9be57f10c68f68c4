import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  claimServer,
  openClaim,
  refusingAction,
  stepTitle,
  TOKEN,
} from '../../../testing/site/claims';
import { server } from '../../../testing/server';
import type { ClaimView } from '../../api/generatedClaims';
import { states } from './states';

const proved: Partial<ClaimView> = { status: 'code_verified', isThisBrowser: true };
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const send = () => screen.getByRole('button', { name: 'Send my details' });
const box = (name: RegExp) => screen.getByRole('checkbox', { name });
const KEY = `tombola.claim.${TOKEN}`;

const whole = {
  name: 'Ana Reyes',
  addressLine1: '1 Main Street',
  city: 'Albany',
  state: 'NY',
  postalCode: '12207',
  isAdult: true,
  isResident: true,
  rulesAccepted: true,
  publicity: false,
};

async function open() {
  const { state, handlers } = claimServer(proved, {
    submit: { status: 'submitted', expiresAt: null },
    decline: { status: 'declined', expiresAt: null },
  });
  server.use(...handlers);
  const user = await openClaim();
  await stepTitle('Claim your prize');
  return { user, state };
}

type User = Awaited<ReturnType<typeof openClaim>>;

async function fill(user: User) {
  await user.type(field('First and last name'), ' Ana Reyes ');
  await user.type(field('Street address'), '1 Main Street');
  await user.type(field('City'), 'Albany');
  await user.selectOptions(field('State'), 'New York');
  await user.type(field('ZIP code'), '12207');
  await user.click(box(/at least 18/));
  await user.click(box(/live in the United States/));
  await user.click(box(/official rules/));
}

beforeEach(() => sessionStorage.clear());

describe('the details of a winner', () => {
  it('are sent once, trimmed, however often the button is pressed', async () => {
    const { user, state } = await open();
    await fill(user);
    await user.dblClick(send());
    expect(await stepTitle('We have your details')).toHaveFocus();
    expect(state.acts).toEqual([{ action: 'submit', body: whole }]);
  });

  it('have a second line and the free choice when they are given', async () => {
    const { user, state } = await open();
    await fill(user);
    await user.type(field('Apartment, suite (optional)'), 'Apt 4');
    await user.click(box(/publish my first name/));
    await user.click(send());
    await stepTitle('We have your details');
    expect(state.acts[0]?.body).toEqual({ ...whole, addressLine2: 'Apt 4', publicity: true });
  });

  it('have a first name of letters where it may be published', async () => {
    const { user, state } = await open();
    await fill(user);
    await user.clear(field('First and last name'));
    await user.type(field('First and last name'), '4na Reyes');
    await user.click(box(/publish my first name/));
    await user.click(send());
    await waitFor(() =>
      expect(field('First and last name')).toHaveAccessibleDescription(/with letters only/),
    );
    await user.click(box(/publish my first name/));
    await user.click(send());
    await waitFor(() => expect(state.acts).toHaveLength(1));
  });

  it('are named by the field where they are missing, and nothing is sent', async () => {
    const { user, state } = await open();
    await user.click(send());
    await waitFor(() => expect(field('First and last name')).toHaveFocus());
    const problems: [string, RegExp][] = [
      ['First and last name', /Enter your first and last name/],
      ['Street address', /Enter the street/],
      ['City', /Enter the city/],
      ['State', /Choose the state/],
      ['ZIP code', /Enter a ZIP code/],
    ];
    for (const [name, words] of problems) expect(field(name)).toHaveAccessibleDescription(words);
    for (const name of [/at least 18/, /live in the United/, /official rules/]) {
      expect(box(name)).toHaveAccessibleDescription('Please confirm');
    }
    expect(field('Apartment, suite (optional)')).toHaveAttribute('aria-invalid', 'false');
    expect(box(/publish my first name/)).toHaveAttribute('aria-invalid', 'false');
    expect(state.acts).toEqual([]);
  });

  it.each(['1220', '12207-12', 'ABCDE', '122071234'])('refuse the ZIP code %s', async (typed) => {
    const { user } = await open();
    await fill(user);
    await user.clear(field('ZIP code'));
    await user.type(field('ZIP code'), typed);
    await user.click(send());
    await waitFor(() =>
      expect(field('ZIP code')).toHaveAccessibleDescription(/Enter a ZIP code, such as/),
    );
  });

  it("have the server's words at the field", async () => {
    const { user } = await open();
    await fill(user);
    const body = {
      error: 'Check',
      code: 'validation',
      fields: { city: ['There is no such city'] },
    };
    server.use(refusingAction('submit', 400, body));
    await user.click(send());
    await waitFor(() => expect(field('City')).toHaveAccessibleDescription('There is no such city'));
    expect(field('City')).toHaveFocus();
  });

  it('are kept when they cannot be sent, and sent again', async () => {
    const { user, state } = await open();
    server.use(http.post('*/api/claims/*/submit', () => HttpResponse.error(), { once: true }));
    await fill(user);
    await user.click(send());
    expect(await screen.findByText(/We could not reach Tombola/)).toBeInTheDocument();
    expect(field('City')).toHaveValue('Albany');
    await user.click(send());
    await stepTitle('We have your details');
    expect(state.acts).toEqual([{ action: 'submit', body: whole }]);
  });

  it('are kept over a reload, until they are sent', async () => {
    const { user } = await open();
    await fill(user);
    await waitFor(() => expect(sessionStorage.getItem(KEY)).toContain('12207'));
    document.body.replaceChildren(); // as a reload leaves it
    const again = await open();
    expect(screen.getByDisplayValue('1 Main Street')).toBeInTheDocument();
    expect(field('State')).toHaveValue('NY');
    expect(box(/at least 18/)).toBeChecked();
    await again.user.click(send());
    await stepTitle('We have your details');
    expect(again.state.acts).toHaveLength(1);
    await waitFor(() => expect(sessionStorage.getItem(KEY)).toBeNull());
  });

  it('are kept while the number is proved again, because another browser did it meanwhile', async () => {
    const { user, state } = await open();
    await fill(user);
    const error = 'Confirm your number in this browser.';
    server.use(refusingAction('submit', 403, { error, code: 'another_browser' }));
    state.now = { ...state.now, isThisBrowser: false };
    await user.click(send());
    expect(await stepTitle('Confirm your number')).toHaveFocus();
    state.now = { ...state.now, isThisBrowser: true };
    window.dispatchEvent(new Event('focus'));
    await stepTitle('Claim your prize');
    expect(field('First and last name')).toHaveValue(' Ana Reyes ');
  });

  it.each([
    ['sent in another tab', 409, 'claim_ended', { status: 'submitted' }, 'We have your details'],
    ['too late', 410, 'claim_expired', { status: 'expired' }, 'The time to claim is over'],
  ] as const)('show what became of the claim: %s', async (_, status, code, now, heading) => {
    const { user, state } = await open();
    await fill(user);
    server.use(refusingAction('submit', status, { error: 'No', code }));
    state.now = { ...state.now, ...now };
    await user.click(send());
    expect(await stepTitle(heading)).toHaveFocus();
  });

  it('stay while a dispute pauses the claim', async () => {
    const { user, state } = await open();
    await fill(user);
    server.use(refusingAction('submit', 409, { error: 'Paused', code: 'claim_paused' }));
    state.now = { ...state.now, paused: true };
    await user.click(send());
    expect(await screen.findByText(/A bank is looking into a payment/)).toBeInTheDocument();
    state.now = { ...state.now, paused: false };
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => expect(field('City')).toHaveValue('Albany'));
  });

  it('can go to every state, DC and the territories', async () => {
    await open();
    expect(Object.keys(states)).toHaveLength(56);
    expect(screen.getAllByRole('option')).toHaveLength(57);
  });
});

describe('declining the prize', () => {
  const openDialog = async (user: User) => {
    await user.click(screen.getByRole('button', { name: 'Decline the prize' }));
    return screen.findByRole('dialog', { name: 'Decline the prize?' });
  };
  const confirm = () =>
    screen.getAllByRole('button', { name: 'Decline the prize' }).at(-1) as HTMLElement;

  it('is asked again first, and can be taken back there', async () => {
    const { user, state } = await open();
    await openDialog(user);
    await user.click(screen.getByRole('button', { name: 'Keep my claim' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Decline the prize' })).toHaveFocus();
    expect(state.acts).toEqual([]);
  });

  it('is sent once', async () => {
    const { user, state } = await open();
    await openDialog(user);
    await user.dblClick(confirm());
    expect(await stepTitle('You declined the prize')).toHaveFocus();
    expect(state.acts).toEqual([{ action: 'decline', body: undefined }]);
  });

  it('says in the dialog what failed, and can be tried again', async () => {
    const { user } = await open();
    server.use(refusingAction('decline', 503, { error: 'Away' }));
    const dialog = await openDialog(user);
    await user.click(confirm());
    await waitFor(() => expect(dialog).toHaveTextContent('We are busy right now.'));
    expect(confirm()).toHaveAttribute('aria-disabled', 'false');
  });
});
