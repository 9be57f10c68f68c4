import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WelcomeSmsView } from '../../api/sms';
import { adminCall, held, never } from '../../../testing/console/handlers';
import { part, renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const TAB = '?section=sms&tab=welcome';
const CALL = '/api/admin/welcome-sms';
const DEFAULT = 'You are in. Your link: [your-link]';

let stored: WelcomeSmsView[];
let sent: [string, unknown][];
let asked: number;

beforeEach(() => {
  stored = [aWelcome()];
  sent = [];
  asked = 0;
  server.use(listing(), ...saving());
});

const aWelcome = (changes: Partial<WelcomeSmsView> = {}): WelcomeSmsView => ({
  landingPage: 'garden-bag',
  messageTemplate: 'Welcome to the garden: {LINK}',
  isActive: true,
  createdBy: 'anna',
  createdAt: '2026-11-20T15:00:00Z',
  updatedAt: '2026-11-21T15:00:00Z',
  ...changes,
});

const listing = () =>
  adminCall('get', 'welcome-sms', () => {
    asked += 1;
    return { templates: stored, defaultTemplate: DEFAULT };
  });

/** Takes what is sent, and lists it. */
const saving = (answered = Promise.resolve()) => [
  adminCall('post', 'welcome-sms', async (request) => {
    const body = (await request.json()) as WelcomeSmsView;
    sent.push(['create', body]);
    await answered;
    stored = [...stored, aWelcome(body)];
    return aWelcome(body);
  }),
  adminCall('put', 'welcome-sms/garden-bag', async (request) => {
    const body = (await request.json()) as WelcomeSmsView;
    sent.push(['update garden-bag', body]);
    await answered;
    stored = [aWelcome(body)];
    return aWelcome(body);
  }),
  adminCall('patch', 'welcome-sms/garden-bag', async (request) => {
    const change = (await request.json()) as Partial<WelcomeSmsView>;
    sent.push(['switch garden-bag', change]);
    await answered;
    stored = stored.map((each) => ({ ...each, ...change }));
    return stored[0]!;
  }),
  adminCall('delete', 'welcome-sms/garden-bag', async () => {
    sent.push(['delete garden-bag', undefined]);
    await answered;
    stored = [];
    return { success: true };
  }),
];

const item = async (name: string) => {
  const heading = await within(await part('Welcome messages')).findByRole('heading', {
    name: new RegExp(name),
  });
  return within(heading.closest('li')!);
};

describe('the welcome messages', () => {
  it('are one for each landing page: its own, or the default one', async () => {
    renderAdmin(TAB);
    const own = await item('Garden Bag Essentials');
    expect(own.getByText('Welcome to the garden: {LINK}')).toBeInTheDocument();
    expect(own.getByText('1 segment, GSM-7')).toBeInTheDocument();
    expect(own.getByText('Changed Nov 21, 2026, created by anna')).toBeInTheDocument();
    for (const name of ['Fresh Sips', 'Kitchen Garden', 'Sustainable Living']) {
      const other = await item(name);
      expect(other.getByText('Default message')).toBeInTheDocument();
      expect(other.getByText(DEFAULT)).toBeInTheDocument();
      expect(other.queryByRole('button')).not.toBeInTheDocument();
    }
  });

  it('show an example where the message is written', async () => {
    stored = [];
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'New Welcome Message' }));
    expect(screen.getByLabelText(/Message template/)).toHaveAttribute(
      'placeholder',
      expect.stringMatching(/win \$150\+ in garden gear.*\[your-link\]/),
    );
  });

  it('point out a message that does not say who writes', async () => {
    stored = [];
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'New Welcome Message' }));
    await user.type(screen.getByLabelText(/Message template/), 'Hello! {{LINK}');
    const hint = 'This message does not say that it comes from Tombola.';
    expect(screen.getByText(hint)).toBeInTheDocument();
    await user.type(screen.getByLabelText(/Message template/), ' Your Tombola');
    expect(screen.queryByText(hint)).not.toBeInTheDocument();
  });

  it('show a loading state', async () => {
    server.use(http.get(`*${CALL}`, never));
    renderAdmin(TAB);
    expect(within(await part('Welcome messages')).getByText('Loading...')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'New Welcome Message' })).not.toBeInTheDocument();
  });

  it('show a failure in a toast too, and can be fetched again', async () => {
    server.use(refusing(CALL, 500, { error: 'Broken' }));
    const { user } = renderAdmin(TAB);
    const retry = await within(await part('Welcome messages')).findByRole('button', {
      name: 'Try again',
    });
    expect(await toast()).toHaveTextContent('ErrorFailed to fetch templates');
    server.use(listing());
    await user.click(retry);
    expect(await item('Garden Bag')).toBeDefined();
  });

  it('are kept for thirty seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { user } = renderAdmin(TAB);
      await item('Garden Bag');
      const first = asked;
      const leaveAndReturn = async () => {
        await user.click(screen.getByRole('tab', { name: 'Templates' }));
        await screen.findByRole('region', { name: 'Templates' });
        await user.click(screen.getByRole('tab', { name: 'Welcome SMS' }));
        await item('Garden Bag');
      };
      server.use(adminCall('get', 'sms/templates', { templates: [] }));
      act(() => void vi.setSystemTime(Date.now() + 20_000));
      await leaveAndReturn();
      expect(asked).toBe(first);
      act(() => void vi.setSystemTime(Date.now() + 15_000));
      await leaveAndReturn();
      await waitFor(() => expect(asked).toBe(first + 1));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a new welcome message', () => {
  async function open() {
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'New Welcome Message' }));
    return { user, card: within(await part('New welcome message')) };
  }
  type Card = Awaited<ReturnType<typeof open>>['card'];
  const page = (card: Card) => card.getByLabelText('Landing page');
  const message = (card: Card) => card.getByLabelText('Message template');
  const create = (card: Card) => card.getByRole('button', { name: 'Create message' });

  it('is made as it was written, once, and listed', async () => {
    const { answered, release } = held();
    server.use(...saving(answered));
    const { user, card } = await open();
    await user.selectOptions(page(card), 'kitchen-garden');
    await user.type(message(card), ' Share: ');
    await user.click(card.getByRole('button', { name: 'Insert [your-link]' }));
    expect(message(card)).toHaveFocus();
    await user.dblClick(create(card));
    expect(await card.findByRole('button', { name: 'Saving...' })).toBeInTheDocument();
    release();
    expect(await toast()).toHaveTextContent('Welcome template created successfully');
    expect(screen.queryByRole('region', { name: 'New welcome message' })).not.toBeInTheDocument();
    expect(
      await (await item('Kitchen Garden')).findByText('Share: [your-link]'),
    ).toBeInTheDocument();
    const body = { landingPage: 'kitchen-garden', messageTemplate: 'Share: [your-link]' };
    expect(sent).toEqual([['create', body]]);
  });

  it('cannot be for a landing page that has one', async () => {
    const { card } = await open();
    const option = (name: RegExp) => card.getByRole('option', { name });
    expect(option(/Garden Bag Essentials \(has one\)/)).toBeDisabled();
    expect(option(/^Fresh Sips Mixology Kit$/)).toBeEnabled();
  });

  it('cannot be made when every landing page has one', async () => {
    const keys = ['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living'] as const;
    stored = keys.map((landingPage) => aWelcome({ landingPage }));
    renderAdmin(TAB);
    expect(await (await item('Fresh Sips')).findByRole('button', { name: /^Edit/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'New Welcome Message' })).not.toBeInTheDocument();
  });

  it('is previewed with a link, and counted, while it is typed', async () => {
    const { user, card } = await open();
    const preview = within(card.getByRole('group', { name: 'Preview' }));
    await user.type(message(card), 'Hello');
    expect(preview.getByText('5 characters, GSM-7, 1 segment')).toBeInTheDocument();
    expect(card.getByText(/This message has no link/)).toBeInTheDocument();
    await user.type(message(card), ' {{USER_LINK}');
    await user.selectOptions(page(card), 'fresh-sips');
    const link = `${location.origin}/fresh-sips/ref/ABCD2345`;
    expect(preview.getByText(`Hello ${link}`)).toBeInTheDocument();
    expect(card.queryByText(/There is no link/)).not.toBeInTheDocument();
  });

  it('says which placeholders there are', async () => {
    const { card } = await open();
    for (const form of ['[your-link]', '{your-link}', '[LINK]', '{LINK}', '[USER_LINK]']) {
      expect(message(card)).toHaveAccessibleDescription(expect.stringContaining(form));
    }
  });

  it('needs a landing page and a message', async () => {
    const missing = 'Please select a landing page and enter a message template';
    const { user, card } = await open();
    await user.type(message(card), '   ');
    await user.click(create(card));
    expect(await toast()).toHaveTextContent(missing);
    expect(page(card)).toHaveAccessibleDescription(missing);
    expect(message(card)).toHaveAccessibleDescription(new RegExp(missing));
    await waitFor(() => expect(page(card)).toHaveFocus());
    expect(sent).toEqual([]);
  });

  it('is not longer than a text may be', async () => {
    const { user, card } = await open();
    await user.selectOptions(page(card), 'fresh-sips');
    await user.click(message(card));
    await user.paste('a'.repeat(1_601));
    await user.click(create(card));
    await waitFor(() =>
      expect(message(card)).toHaveAccessibleDescription(/at most 1,600 characters/),
    );
    expect(sent).toEqual([]);
  });

  it('shows an error when another tab has created it, and refreshes the list', async () => {
    const error = 'This landing page has a welcome message already';
    server.use(
      http.post(`*${CALL}`, () => {
        stored = [aWelcome(), aWelcome({ landingPage: 'fresh-sips', messageTemplate: 'Theirs' })];
        return HttpResponse.json({ error, code: 'template_exists' }, { status: 409 });
      }),
    );
    const { user, card } = await open();
    await user.selectOptions(page(card), 'fresh-sips');
    await user.type(message(card), 'Mine');
    await user.click(create(card));
    expect(await toast()).toHaveTextContent('ErrorFailed to create template');
    expect(await card.findByRole('alert')).toHaveTextContent(error);
    expect(message(card)).toHaveValue('Mine');
    expect(await screen.findByText('Theirs')).toBeInTheDocument();
  });

  it('is forgotten with Cancel', async () => {
    const { user, card } = await open();
    await user.type(message(card), 'Mine');
    await user.click(card.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('region', { name: 'New welcome message' })).not.toBeInTheDocument();
    expect(document.activeElement).not.toBe(document.body);
    expect(sent).toEqual([]);
  });
});

describe('a welcome message in the list', () => {
  async function edit() {
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Edit Garden Bag Essentials' }));
    return { user, message: screen.getByLabelText('Message template') };
  }

  it('is changed where it stands', async () => {
    const { user, message } = await edit();
    expect(message).toHaveValue('Welcome to the garden: {LINK}');
    expect(screen.queryByLabelText('Landing page')).not.toBeInTheDocument();
    await user.clear(message);
    await user.type(message, 'Hello');
    await user.click(screen.getByRole('button', { name: 'Save message' }));
    expect(await toast()).toHaveTextContent('Welcome template updated successfully');
    expect(await (await item('Garden Bag')).findByText('Hello')).toBeInTheDocument();
    expect(sent).toEqual([['update garden-bag', { messageTemplate: 'Hello' }]]);
  });

  it('shows an error when another tab deleted it, and keeps what was typed', async () => {
    server.use(
      http.put(`*${CALL}/garden-bag`, () => {
        stored = [];
        return HttpResponse.json({ error: 'There is none', code: 'not_found' }, { status: 404 });
      }),
    );
    const { user, message } = await edit();
    await user.type(message, '!');
    await user.click(screen.getByRole('button', { name: 'Save message' }));
    expect(await toast()).toHaveTextContent('ErrorFailed to update template');
    expect(await (await item('Garden Bag')).findByText('There is none')).toBeInTheDocument();
    await waitFor(() => expect(screen.getAllByText('Default message')).toHaveLength(4));
    expect(message).toHaveValue('Welcome to the garden: {LINK}!');
  });

  it('is switched off without sending its text, and says so', async () => {
    const { answered, release } = held();
    server.use(...saving(answered));
    const { user } = renderAdmin(TAB);
    const active = await screen.findByRole('switch', { name: 'Active: Garden Bag Essentials' });
    expect(active).toBeChecked();
    await user.dblClick(active);
    await waitFor(() => expect(active).toHaveAttribute('aria-disabled', 'true'));
    release();
    expect(await toast()).toHaveTextContent('Welcome template updated successfully');
    await waitFor(() => expect(active).not.toBeChecked());
    const own = await item('Garden Bag');
    expect(await own.findByText('Inactive')).toBeInTheDocument();
    expect(await own.findByText('Nobody gets a text')).toBeInTheDocument();
    expect(sent).toEqual([['switch garden-bag', { isActive: false }]]);
  });

  it('stays on when switching fails, and shows an error', async () => {
    server.use(
      http.patch(`*${CALL}/garden-bag`, () => HttpResponse.json({ error: 'No' }, { status: 500 })),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('switch'));
    expect(await toast()).toHaveTextContent('ErrorFailed to update template');
    expect(await screen.findByText('No', { selector: '.stale' })).toBeInTheDocument();
    expect(await screen.findByRole('switch')).toBeChecked();
  });

  it('is deleted after a question, once', async () => {
    const { answered, release } = held();
    server.use(...saving(answered));
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Delete Garden Bag Essentials' }));
    const dialog = screen.getByRole('alertdialog');
    expect(dialog).toHaveAccessibleDescription(/get the default message/);
    await user.dblClick(within(dialog).getByRole('button', { name: 'Delete message' }));
    await waitFor(() => expect(dialog).toHaveTextContent('Deleting...'));
    release();
    expect(await toast()).toHaveTextContent('Welcome template deleted successfully');
    await waitFor(() => expect(screen.getAllByText('Default message')).toHaveLength(4));
    expect(sent).toEqual([['delete garden-bag', undefined]]);
  });

  it('stays when deleting fails, and shows the error', async () => {
    server.use(
      http.delete(`*${CALL}/garden-bag`, () => HttpResponse.json({ error: 'No' }, { status: 500 })),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Delete Garden Bag Essentials' }));
    const dialog = screen.getByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete message' }));
    expect(await toast()).toHaveTextContent('ErrorFailed to delete template');
    await waitFor(() => expect(within(dialog).getByRole('alert')).toHaveTextContent('No'));
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(
      await (await item('Garden Bag')).findByRole('button', { name: /^Delete/ }),
    ).toHaveFocus();
  });
});
