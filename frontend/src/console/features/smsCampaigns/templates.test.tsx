import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SmsTemplateView } from '../../api/sms';
import { adminCall, held, never } from '../../../testing/console/handlers';
import { part, renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { aTemplate, smsHandlers, storedTexts } from '../../../testing/console/smsBuilders';

const TAB = '?section=sms&tab=templates';
const CALL = '/api/admin/sms/templates';
let stored = storedTexts();
let sent: unknown[] = [];

beforeEach(() => {
  stored = storedTexts();
  sent = [];
  server.use(...smsHandlers(stored));
});

const items = async () => within(await part('Templates')).findAllByRole('listitem');

/** Takes what is posted or put, and lists it. */
const saving = (answered = Promise.resolve()) => [
  adminCall('post', 'sms/templates', async (request) => {
    const body = (await request.json()) as SmsTemplateView;
    sent.push(body);
    await answered;
    stored.templates = [aTemplate({ ...body, id: 9 }), ...stored.templates];
    return stored.templates[0]!;
  }),
  adminCall('put', 'sms/templates/4', async (request) => {
    const body = (await request.json()) as SmsTemplateView;
    sent.push(body);
    await answered;
    stored.templates = [aTemplate(body)];
    return stored.templates[0]!;
  }),
  adminCall('patch', 'sms/templates/4', async (request) => {
    const change = (await request.json()) as Partial<SmsTemplateView>;
    sent.push(change);
    await answered;
    stored.templates = [{ ...stored.templates[0]!, ...change }];
    return stored.templates[0]!;
  }),
];

describe('the templates', () => {
  it('are listed with what they take', async () => {
    stored.templates = [
      aTemplate(),
      aTemplate({
        id: 5,
        name: 'Cedilla',
        landingPage: 'fresh-sips',
        messageTemplate: 'Ça va, ça ? {LINK}',
        isActive: false,
      }),
    ];
    renderAdmin(TAB);
    const [first, second] = await items();
    expect(first).toHaveTextContent('Garden Bag Essentials · 1 segment, GSM-7');
    expect(first).toHaveTextContent('created Nov 20, 2026');
    expect(first).toHaveTextContent('Your garden waits: {LINK}');
    expect(second).toHaveTextContent('Fresh Sips Mixology Kit · 2 segments, UCS-2');
    expect(within(second!).getByRole('switch')).not.toBeChecked();
  });

  it('say who created them', async () => {
    stored.templates = [aTemplate(), aTemplate({ id: 5, createdBy: null })];
    renderAdmin(TAB);
    const [first, second] = await items();
    expect(first).toHaveTextContent('created Nov 20, 2026 by anna');
    expect(second).not.toHaveTextContent('by anna');
  });

  it('have pages and a search when there are many', async () => {
    const asked: string[] = [];
    server.use(
      adminCall(
        'get',
        'sms/templates',
        (request) => {
          asked.push(new URL(request.url).search);
          return { templates: [aTemplate()] };
        },
        { 'X-Total-Count': '30' },
      ),
    );
    const { user } = renderAdmin(TAB);
    await items();
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(asked).toContain('?limit=25&offset=25'));
    await user.type(await screen.findByLabelText('Find a template'), 'j');
    await waitFor(() => expect(asked).toContain('?search=j&limit=25&offset=0'));
  });

  it('may be none', async () => {
    stored.templates = [];
    renderAdmin(TAB);
    expect(await screen.findByText('No templates yet')).toBeInTheDocument();
  });

  it('show a loading state, and can be fetched again after a failure', async () => {
    server.use(http.get(`*${CALL}`, never));
    const { unmount } = renderAdmin(TAB);
    expect(within(await part('Templates')).getByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing(CALL, 500, { error: 'Broken' }));
    const { user } = renderAdmin(TAB);
    const retry = await within(await part('Templates')).findByRole('button', { name: 'Try again' });
    server.use(...smsHandlers(stored));
    await user.click(retry);
    expect(await items()).toHaveLength(1);
  });
});

describe('a new template', () => {
  async function open() {
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'New Template' }));
    const card = await part('New template');
    return { user, card: within(card) };
  }
  type Card = Awaited<ReturnType<typeof open>>['card'];
  const message = (card: Card) => card.getByLabelText('Message template');
  const create = (card: Card) => card.getByRole('button', { name: 'Create template' });

  it('is made as it was written, once, and listed', async () => {
    const { answered, release } = held();
    server.use(...saving(answered));
    const { user, card } = await open();
    await user.type(card.getByLabelText('Name'), ' Autumn ');
    await user.selectOptions(card.getByLabelText('Landing page'), 'kitchen-garden');
    await user.type(message(card), 'Look: ');
    await user.click(card.getByRole('button', { name: 'Insert {LINK}' }));
    expect(message(card)).toHaveValue('Look: {LINK}');
    expect(message(card)).toHaveFocus();
    await user.type(message(card), '!');
    await user.dblClick(create(card));
    expect(await card.findByRole('button', { name: 'Saving...' })).toBeInTheDocument();
    release();
    expect(await toast()).toHaveTextContent('Template created successfully');
    expect(screen.queryByRole('region', { name: 'New template' })).not.toBeInTheDocument();
    await waitFor(async () => expect((await items())[0]).toHaveTextContent('Look: {LINK}!'));
    expect(sent).toEqual([
      {
        name: 'Autumn',
        landingPage: 'kitchen-garden',
        messageTemplate: 'Look: {LINK}!',
        linkPlaceholder: '{LINK}',
        isActive: true,
      },
    ]);
  });

  it('puts the link in the place of what is selected', async () => {
    const { user, card } = await open();
    await user.type(message(card), 'Go HERE now', {
      initialSelectionStart: 0,
    });
    const area = message(card) as HTMLTextAreaElement;
    area.setSelectionRange(3, 7);
    await user.click(card.getByRole('button', { name: 'Insert {LINK}' }));
    expect(area).toHaveValue('Go {LINK} now');
    expect(area.selectionStart).toBe(9);
  });

  it('is previewed with a link, and counted, while it is typed', async () => {
    const { user, card } = await open();
    const preview = within(card.getByRole('group', { name: 'Preview' }));
    expect(preview.getByText('Your message appears here.')).toBeInTheDocument();
    expect(preview.getByText('0 characters, GSM-7, 1 segment')).toBeInTheDocument();
    await user.type(message(card), 'See {{LINK}');
    const link = `${location.origin}/planter/garden-preview234567`;
    const text = `See ${link} Reply STOP to opt out.`;
    expect(preview.getByText(text)).toBeInTheDocument();
    expect(preview.getByText(`${text.length} characters, GSM-7, 1 segment`)).toBeInTheDocument();
    await user.selectOptions(card.getByLabelText('Landing page'), 'sustainable-living');
    expect(
      preview.getByText(/planter\/sustainable-preview234567 Reply STOP to opt out.$/),
    ).toBeInTheDocument();
    await user.type(message(card), ' NON-STOP');
    expect(preview.getByText(/NON-STOP Reply STOP to opt out.$/)).toBeInTheDocument();
    await user.type(message(card), ' ç STOP');
    expect(preview.getByText(/NON-STOP ç STOP$/)).toBeInTheDocument();
    expect(preview.getByText(/characters, UCS-2, 2 segments/)).toBeInTheDocument();
    expect(preview.getByText(/to 70 characters instead of 160: ç$/)).toBeInTheDocument();
  });

  it('is tried with a number', async () => {
    const sent: unknown[] = [];
    const status = { id: 7, errorMessage: null, waitingUntil: null, waitingReason: null };
    server.use(
      adminCall('post', 'sms/templates/4/test', async (request) => {
        sent.push(await request.json());
        return { ...status, status: 'pending' as const };
      }),
      adminCall('get', 'sms/messages/7', () => ({ ...status, status: 'delivered' as const })),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Send a test of Summer' }));
    const form = within(screen.getByRole('form', { name: 'Send a test text' }));
    await user.type(form.getByLabelText('Number to try'), '(555) 123-4567');
    await user.click(form.getByRole('button', { name: 'Send a test text' }));
    expect(await form.findByText('The test text arrived.')).toBeInTheDocument();
    expect(sent).toEqual([{ phoneNumber: '(555) 123-4567' }]);
  });

  it('names characters that cost more, and offers plain ones', async () => {
    const { user, card } = await open();
    await user.click(message(card));
    await user.paste('Don’t wait — “see” {LINK} 🌱');
    const preview = within(card.getByRole('group', { name: 'Preview' }));
    expect(preview.getByText(/instead of 160: ’ — “ ” 🌱$/)).toBeInTheDocument();
    const words = `’ → ', — → -, “ → ", ” → "`;
    expect(preview.getByText(words)).toBeInTheDocument();
    await user.click(preview.getByRole('button', { name: 'Use plain characters' }));
    expect(message(card)).toHaveValue(`Don't wait - "see" {LINK} 🌱`);
    expect(preview.getByText(/instead of 160: 🌱$/)).toBeInTheDocument();
    expect(preview.queryByRole('button')).not.toBeInTheDocument();
  });

  it('names what is missing', async () => {
    const { user, card } = await open();
    await user.click(create(card));
    expect(await toast()).toHaveTextContent('Please fill in all required fields');
    await waitFor(() => expect(card.getByLabelText('Name')).toHaveFocus());
    expect(card.getByLabelText('Name')).toHaveAccessibleDescription(
      /Please fill in all required fields$/,
    );
    expect(message(card)).toHaveAccessibleDescription(/Please fill in all required fields$/);
    await user.type(message(card), '  ');
    expect(message(card)).toHaveAccessibleDescription(/Please fill in all required fields$/);
    expect(sent).toEqual([]);
  });

  it.each([
    ['no link', 'The message must contain {LINK}'],
    [`{{LINK}${'a'.repeat(1_501)}`, 'A text has at most 1,600 characters'],
  ])('needs a link and an end: %.12s', async (typed, problem) => {
    const { user, card } = await open();
    await user.type(card.getByLabelText('Name'), 'Autumn');
    await user.click(message(card));
    await user.paste(typed.replace('{{', '{'));
    await user.click(create(card));
    await waitFor(() =>
      expect(message(card)).toHaveAccessibleDescription(expect.stringContaining(problem)),
    );
    expect(sent).toEqual([]);
  });

  async function filled() {
    const opened = await open();
    await opened.user.type(opened.card.getByLabelText('Name'), 'Autumn');
    await opened.user.click(opened.card.getByRole('button', { name: 'Insert {LINK}' }));
    return opened;
  }

  it('that the server refuses shows why at its input', async () => {
    const error = 'The message must contain {LINK}';
    server.use(
      http.post(`*${CALL}`, () =>
        HttpResponse.json(
          { error, code: 'invalid', fields: { messageTemplate: [error] } },
          { status: 400 },
        ),
      ),
    );
    const { user, card } = await filled();
    await user.click(create(card));
    expect(await toast()).toHaveTextContent(`Failed to create template${error}`);
    expect(message(card)).toHaveAccessibleDescription(expect.stringContaining(error));
    expect(card.getByLabelText('Name')).toHaveValue('Autumn');
  });

  it('warns that it may have been created, and keeps what was typed', async () => {
    server.use(http.post(`*${CALL}`, () => HttpResponse.error()));
    const { user, card } = await filled();
    await user.click(create(card));
    expect(await toast()).toHaveTextContent('Failed to create template');
    expect(await card.findByRole('alert')).toHaveTextContent('may have been created anyway');
    expect(card.getByLabelText('Name')).toHaveValue('Autumn');
    server.use(...saving());
    await user.click(create(card));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it('is forgotten with Cancel, and the focus stays in the tab', async () => {
    const { user, card } = await filled();
    await user.click(card.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('region', { name: 'New template' })).not.toBeInTheDocument();
    expect(document.activeElement).not.toBe(document.body);
    expect(sent).toEqual([]);
  });
});

describe('a template in the list', () => {
  it('is changed where it stands, with its own placeholder', async () => {
    server.use(...saving());
    stored.templates = [aTemplate({ messageTemplate: 'Go: [link]', linkPlaceholder: '[link]' })];
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Edit Summer' }));
    const name = screen.getByLabelText('Name');
    expect(name).toHaveValue('Summer');
    await user.clear(name);
    await user.type(name, 'Winter');
    expect(screen.getByRole('button', { name: 'Insert [link]' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Save template' }));
    expect(await toast()).toHaveTextContent('Template updated successfully');
    expect(await screen.findByRole('heading', { name: 'Winter' })).toBeInTheDocument();
    expect(sent).toEqual([
      {
        name: 'Winter',
        landingPage: 'garden-bag',
        messageTemplate: 'Go: [link]',
        linkPlaceholder: '[link]',
        isActive: true,
      },
    ]);
  });

  it('shows an error when another tab deleted it', async () => {
    server.use(refusing(`${CALL}/4`, 404, { error: 'There is no such template' }));
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Edit Summer' }));
    await user.click(screen.getByRole('button', { name: 'Save template' }));
    expect(await toast()).toHaveTextContent('Failed to update template');
    const [item] = await items();
    expect(await within(item!).findByRole('alert')).toHaveTextContent('There is no such template');
  });

  it('is switched off at once, once', async () => {
    const { answered, release } = held();
    server.use(...saving(answered));
    const { user } = renderAdmin(TAB);
    const active = await screen.findByRole('switch', { name: 'Active: Summer' });
    await user.dblClick(active);
    await waitFor(() => expect(active).toHaveAttribute('aria-disabled', 'true'));
    release();
    expect(await toast()).toHaveTextContent('Template updated successfully');
    await waitFor(() => expect(active).not.toBeChecked());
    expect(sent).toEqual([{ isActive: false }]);
  });

  it('is switched off without undoing what another tab has changed', async () => {
    server.use(...saving());
    const { user } = renderAdmin(TAB);
    const active = await screen.findByRole('switch', { name: 'Active: Summer' });
    stored.templates = [aTemplate({ name: 'Winter', messageTemplate: 'Snow: {LINK}' })];
    await user.click(active);
    expect(await screen.findByRole('switch', { name: 'Active: Winter' })).not.toBeChecked();
    expect(sent).toEqual([{ isActive: false }]);
  });

  it('stays on when switching fails, and shows an error', async () => {
    server.use(http.patch(`*${CALL}/4`, () => HttpResponse.json({ error: 'No' }, { status: 500 })));
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('switch'));
    expect(await toast()).toHaveTextContent('Failed to update templateNo');
    expect(await screen.findByText('No', { selector: '.stale' })).toBeInTheDocument();
    expect(await screen.findByRole('switch')).toBeChecked();
  });
});
