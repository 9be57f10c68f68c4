import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TextView } from '../../api/sms';
import { smsSettings, someSettings } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const SETTINGS = '?section=settings';
const SID = `AC${'0123456789abcdef'.repeat(2)}`;
const TOKEN = 'fedcba9876543210'.repeat(2);

let sms = smsSettings();
let saved: unknown[];

beforeEach(() => {
  sms = smsSettings({ configured: false, accountSidLast4: null, phoneNumberLast4: null });
  saved = [];
  server.use(
    adminCall('get', 'audit-log', { entries: [] }),
    adminCall('get', 'settings', () => ({ settings: someSettings({ sms }) })),
    saving(),
  );
});

const saving = (answered = Promise.resolve()) =>
  adminCall('post', 'save-credentials', async (request) => {
    saved.push(await request.json());
    await answered;
    sms = smsSettings({ accountSidLast4: 'cdef', phoneNumberLast4: '4567' });
    return { success: true };
  });

async function open(search = SETTINGS) {
  const { user } = renderAdmin(search);
  const card = within(await screen.findByRole('region', { name: 'Text-message provider' }));
  const [sid, token, phone] = ['Account SID', 'Auth Token', 'Phone Number'].map((label) =>
    card.getByLabelText<HTMLInputElement>(label),
  );
  const save = card.getByRole('button', { name: 'Save credentials' });
  async function fill() {
    await user.type(sid!, ` ${SID}`);
    await user.type(token!, TOKEN);
    await user.type(phone!, '(555) 123-4567');
  }
  return { user, card, sid: sid!, token: token!, phone: phone!, save, fill };
}

describe('the provider of texts', () => {
  it.each([SETTINGS, '?section=analytics&tab=pricing'])('is shown in %s', async (search) => {
    const { card } = await open(search);
    expect(await card.findByText('Not configured')).toBeInTheDocument();
    expect(card.getByText(/texts wait until credentials are saved/)).toBeInTheDocument();
  });

  it('is known by the last signs only', async () => {
    sms = smsSettings();
    const { card, sid, token, phone } = await open();
    expect(await card.findByText('Configured')).toBeInTheDocument();
    expect(card.getByText('1a2b')).toBeInTheDocument();
    expect(card.getByText('0042')).toBeInTheDocument();
    expect([sid.value, token.value, phone.value]).toEqual(['', '', '']);
    expect(token).toHaveAttribute('type', 'password');
  });

  it('can have saved credentials that cannot be opened', async () => {
    sms = smsSettings({
      configured: false,
      unreadable: true,
      accountSidLast4: null,
      phoneNumberLast4: null,
    });
    const { user, card, save, fill } = await open();
    const state = await card.findByText(/^The saved Twilio account cannot be opened/);
    expect(state).toHaveTextContent('Save the credentials again below');
    expect(state).toHaveTextContent('SECRET_KEY_PREVIOUS');
    expect(card.queryByText('Not configured')).not.toBeInTheDocument();
    await fill();
    await user.click(save);
    expect(await card.findByText('Configured')).toBeInTheDocument();
    expect(card.queryByText(/cannot be opened/)).not.toBeInTheDocument();
  });

  it('shows a loading state', async () => {
    server.use(http.get('*/api/admin/settings', never));
    const { card } = await open();
    expect(card.getByText('Loading...')).toBeInTheDocument();
  });

  it('keeps the form when it cannot be fetched', async () => {
    server.use(refusing('/api/admin/settings', 500, { error: 'Broken' }));
    const { user, card, save } = await open();
    const retry = await card.findByRole('button', { name: 'Try again' });
    expect(save).toBeInTheDocument();
    server.use(adminCall('get', 'settings', () => ({ settings: someSettings({ sms }) })));
    await user.click(retry);
    expect(await card.findByText('Not configured')).toBeInTheDocument();
  });
});

describe('saving credentials', () => {
  it('is done once, and empties the form', async () => {
    let release = () => {};
    server.use(saving(new Promise<void>((resolve) => (release = resolve))));
    const { user, card, sid, token, phone, save, fill } = await open();
    await fill();
    await user.dblClick(save);
    await waitFor(() => expect(save).toHaveTextContent('Saving...'));
    release();
    expect(await toast()).toHaveTextContent('Credentials saved');
    expect(await card.findByText('4567')).toBeInTheDocument();
    expect([sid.value, token.value, phone.value]).toEqual(['', '', '']);
    expect(saved).toEqual([
      {
        TWILIO_ACCOUNT_SID: SID,
        TWILIO_AUTH_TOKEN: TOKEN,
        TWILIO_PHONE_NUMBER: '(555) 123-4567',
      },
    ]);
  });

  it('says under each field what is wrong with it', async () => {
    const { user, sid, token, phone, save } = await open();
    await user.type(sid, TOKEN);
    await user.type(token, 'secret');
    await user.click(save);
    await waitFor(() => expect(sid).toHaveFocus());
    expect(sid).toHaveAccessibleDescription(/Must be AC and 32 letters a to f and digits/);
    expect(token).toHaveAccessibleDescription(/Must be 32 letters a to f and digits/);
    expect(phone).toHaveAccessibleDescription(/Please enter a valid phone number\./);
    expect(saved).toEqual([]);
  });

  it('shows what the server finds wrong', async () => {
    const fields = { TWILIO_AUTH_TOKEN: ['Not today'] };
    server.use(refusing('/api/admin/save-credentials', 400, { error: 'No', code: 'v', fields }));
    const { user, token, save, fill } = await open();
    await fill();
    await user.click(save);
    expect(await toast()).toHaveTextContent('Error saving credentialsFailed to save credentials');
    expect(token).toHaveAccessibleDescription(/Not today/);
    expect(token).toHaveValue(TOKEN);
  });

  it('shows an error when it fails, and keeps what was typed', async () => {
    server.use(http.post('*/api/admin/save-credentials', () => HttpResponse.error()));
    const { user, card, sid, save, fill } = await open();
    await fill();
    await user.click(save);
    expect(await toast()).toHaveTextContent('Error saving credentialsFailed to save credentials');
    expect(card.getByText(/^Failed to save credentials\. Tombola could not/)).toBeInTheDocument();
    expect(sid.value).toContain(SID);
  });
});

describe('a test text', () => {
  let text: TextView;
  let sent: unknown[];
  let looks: number;
  beforeEach(() => {
    text = {
      id: 31,
      status: 'pending',
      errorMessage: null,
      waitingUntil: null,
      waitingReason: null,
    };
    sent = [];
    looks = 0;
    server.use(
      adminCall('post', 'sms/test-text', async (request) => {
        sent.push(await request.json());
        return text;
      }),
      adminCall('get', 'sms/messages/31', () => {
        looks += 1;
        return text;
      }),
    );
  });

  async function send(number = '555 123 4567') {
    const opened = await open();
    const { user, card } = opened;
    if (number) await user.type(card.getByLabelText('Number to try'), number);
    await user.click(card.getByRole('button', { name: 'Send a test text' }));
    return opened;
  }

  it('is followed until it arrives', async () => {
    const { card } = await send();
    expect(await card.findByText('The test text is waiting to be sent.')).toBeInTheDocument();
    text = { ...text, status: 'sending' };
    expect(await card.findByText('The test text is being sent.')).toBeInTheDocument();
    text = { ...text, status: 'sent' };
    expect(await card.findByText(/The provider took the test text/)).toBeInTheDocument();
    text = { ...text, status: 'delivered' };
    expect(await card.findByText('The test text arrived.')).toBeInTheDocument();
    expect(sent).toEqual([{ phoneNumber: '555 123 4567' }]);
  });

  it.each([
    [
      'unknown',
      null,
      'The provider did not say whether it took the test text. It is asked before another try.',
    ],
    [
      'undelivered',
      '30003 Unreachable',
      'The phone company could not deliver the test text. Reason: 30003 Unreachable',
    ],
    [
      'failed',
      '21211 Invalid number',
      'The provider did not take the test text. Reason: 21211 Invalid number',
    ],
    [
      'skipped',
      'opted_out',
      'The test text was not sent. This number opted out by answering STOP.',
    ],
    [
      'skipped',
      'country',
      "The test text was not sent. Texts do not go to this number's country, or it is toll-free.",
    ],
  ] as const)('is described plainly when it is %s', async (status, errorMessage, sentence) => {
    text = { ...text, status, errorMessage };
    const { card } = await send();
    expect(await card.findByText(sentence)).toBeInTheDocument();
  });

  it('is no longer asked about when two minutes have passed without word', async () => {
    text = { ...text, status: 'sent' };
    const { card } = await send();
    await card.findByText(/The provider took the test text/);
    const later = Date.now() + 121_000;
    vi.spyOn(Date, 'now').mockImplementation(() => later);
    expect(await card.findByText(/No delivery report after two minutes/)).toBeInTheDocument();
    vi.restoreAllMocks();
    expect(looks).toBeGreaterThan(0);
  });

  it('is no longer asked about when two minutes have passed without an answer', async () => {
    let asked = 0;
    server.use(
      http.get('*/api/admin/sms/messages/31', () => {
        asked += 1;
        return HttpResponse.error();
      }),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { card } = await send();
    expect(await card.findByText(/^Could not check again/)).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(125_000));
    expect(await card.findByText(/No delivery report after two minutes/)).toBeInTheDocument();
    const askedBefore = asked;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(asked).toBe(askedBefore);
    expect(card.getByText(/^Could not check again/)).toBeInTheDocument();
  });

  it('needs a phone number', async () => {
    const { card } = await send('');
    await waitFor(() =>
      expect(card.getByLabelText('Number to try')).toHaveAccessibleDescription(
        /Please enter a valid phone number\./,
      ),
    );
    expect(sent).toEqual([]);
  });

  it.each([
    ['sms_not_configured', 'Texts are not configured'],
    ['sms_account_unreadable', 'The saved Twilio account cannot be opened'],
  ])('cannot be sent without credentials, and explains why: %s', async (code, error) => {
    server.use(refusing('/api/admin/sms/test-text', 503, { error, code }));
    const { card } = await send();
    expect(await card.findByText(error)).toBeInTheDocument();
  });

  it('shows an error when it could not be sent', async () => {
    server.use(refusing('/api/admin/sms/test-text', 503, { error: 'Away', code: 'unavailable' }));
    const { card } = await send();
    expect(
      await card.findByText(/Tombola is busy or can.t reach its database/),
    ).toBeInTheDocument();
  });

  it('shows an error when its status cannot be fetched, and tries again', async () => {
    server.use(refusing('/api/admin/sms/messages/31', 500, { error: 'Broken' }));
    const { card } = await send();
    expect(await card.findByText(/^Could not check again/)).toBeInTheDocument();
    expect(card.getByText('The test text is waiting to be sent.')).toBeInTheDocument();
    server.use(adminCall('get', 'sms/messages/31', { ...text, status: 'delivered' }));
    expect(await card.findByText('The test text arrived.')).toBeInTheDocument();
  });
});
