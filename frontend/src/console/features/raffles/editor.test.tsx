import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { adminCall, TOKEN } from '../../../testing/console/handlers';
import {
  aContent,
  aDraft,
  aRaffleCard,
  aRaffleFile,
  aVersion,
  fileIs,
} from '../../../testing/console/raffles';
import { part, renderAdmin, toast } from '../../../testing/console/renderConsole';
import { server } from '../../../testing/server';
import type { Content, DraftView } from '../../api/raffles';

const EDITOR = '?section=raffles&view=garden-bag';

interface Saved {
  revision: number;
  content: Content;
}

const saved: Saved[] = [];

const saving = (draft: Partial<DraftView> = {}) =>
  adminCall('put', 'raffles/garden-bag/draft', async (request) => {
    const body = (await request.json()) as Saved;
    saved.push(body);
    return aDraft({ revision: body.revision + 1, hash: 'b2', content: body.content, ...draft });
  });

const refusing = (call: string, method: 'put' | 'post', status: number, body: object) =>
  http[method](`*/api/admin/raffles/garden-bag/${call}`, () => HttpResponse.json(body, { status }));

const heading = () => screen.findByLabelText<HTMLInputElement>('Heading');
const saveButton = () => screen.getByRole('button', { name: 'Save draft' });

beforeEach(() => {
  saved.length = 0;
  server.use(fileIs(aRaffleFile()), saving());
});

describe('the form of a raffle', () => {
  it('counts characters, says what is too long, and saves the whole draft', async () => {
    const { user } = renderAdmin(EDITOR);
    const title = await heading();
    expect(title).toHaveAccessibleDescription('29 of 80 characters');
    await user.clear(title);
    await user.type(title, 'é👩‍🌾');
    expect(title).toHaveAccessibleDescription('4 of 80 characters');
    await user.clear(screen.getByLabelText("The prize's name"));
    await user.click(screen.getByLabelText("The prize's name"));
    await user.paste('x'.repeat(61));
    expect(screen.getByText('At most 60 characters')).toBeVisible();
    expect(screen.getByText('Not saved yet')).toBeVisible();
    await user.click(saveButton());
    expect(await toast()).toHaveTextContent('Draft saved');
    expect(saved).toEqual([
      { revision: 7, content: aContent({ title: 'é👩‍🌾', name: 'x'.repeat(61) }) },
    ]);
    await user.type(title, '!');
    await user.click(saveButton());
    await waitFor(() => expect(saved[1]?.revision).toBe(8));
  });

  it('takes parts, with values as people write them', async () => {
    const { user } = renderAdmin(EDITOR);
    await heading();
    await user.click(screen.getByRole('button', { name: 'Remove part 1' }));
    await user.click(screen.getByRole('button', { name: 'Add a part' }));
    const added = within(screen.getByRole('group', { name: 'Part 2' }));
    await user.type(added.getByLabelText('Part 2: name'), 'Gloves');
    await user.type(added.getByLabelText('Part 2: value'), '$1,024.5');
    await user.type(added.getByLabelText('Part 2: detail'), 'Leather');
    await user.click(saveButton());
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.content.kit).toEqual([
      { item: 'Seed box', detail: 'Ten packets', valueInCents: 11_200 },
      { item: 'Gloves', detail: 'Leather', valueInCents: 102_450 },
    ]);
    await user.type(added.getByLabelText('Part 2: value'), 'x');
    expect(added.getByText('Enter an amount such as 24.50.')).toBeVisible();
  });

  it('shows what the server refuses at its field, and goes there', async () => {
    server.use(
      refusing('draft', 'put', 400, {
        error: 'Please check these fields',
        code: 'invalid',
        fields: { 'content.kit.1.item': ['Must not hold a web address'] },
      }),
    );
    const { user } = renderAdmin(EDITOR);
    await user.type(await heading(), '!');
    await user.click(saveButton());
    const item = await screen.findByLabelText('Part 2: name');
    await waitFor(() => expect(item).toHaveAccessibleDescription(/Must not hold a web address/));
    expect(item).toHaveFocus();
    await user.type(item, 'x');
    expect(item).not.toHaveAccessibleDescription(/web address/);
  });

  it('offers to put a new value in all its places', async () => {
    const { user } = renderAdmin(EDITOR);
    const value = await screen.findByLabelText('Total value in dollars');
    expect(screen.queryByText(/is neither/)).not.toBeInTheDocument();
    await user.clear(value);
    await user.type(value, '140');
    expect(
      screen.getByText(
        '$150 is neither the total value nor the value of a part, and stands in one place.',
      ),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Put $140+ there' }));
    expect(screen.getByLabelText('Description in search results')).toHaveValue(
      'Win a bag worth $140+. No purchase required.',
    );
    expect(screen.queryByText(/is neither/)).not.toBeInTheDocument();
  });

  it('leads from what is missing to its field', async () => {
    const missing = [
      { field: 'share.textBody', message: 'Must hold {LINK}' },
      { field: 'kit.0.detail', message: 'Required' },
    ];
    server.use(fileIs(aRaffleFile({ draft: aDraft({ missing }) })));
    const { user } = renderAdmin(EDITOR);
    const list = within(await part('Missing before it can open'));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Message Must hold {LINK}',
      'Part 1: detail Required',
    ]);
    await user.click(list.getByRole('button', { name: 'Message' }));
    expect(screen.getByLabelText('Message')).toHaveFocus();
  });

  it('keeps both when two people edit at once', async () => {
    const mine = refusing('draft', 'put', 409, {
      error: 'Somebody else saved it',
      code: 'changed_meanwhile',
    });
    server.use(mine);
    const { user } = renderAdmin(EDITOR);
    await user.type(await heading(), '!');
    const theirs = aDraft({
      revision: 9,
      savedBy: 'Grace',
      content: aContent({ title: 'Theirs' }),
    });
    server.use(fileIs(aRaffleFile({ draft: theirs })));
    await user.click(saveButton());
    const notice = within(await part('Changed meanwhile'));
    expect(notice.getByRole('alert')).toHaveTextContent('Grace saved this draft');
    expect(await heading()).toHaveValue('Win the Garden Bag Essentials!');
    server.use(saving());
    await user.click(notice.getByRole('button', { name: 'Save mine over it' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatchObject({
      revision: 9,
      content: { title: 'Win the Garden Bag Essentials!' },
    });
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Changed meanwhile' })).not.toBeInTheDocument(),
    );
  });

  it('shows theirs when mine is discarded', async () => {
    server.use(
      refusing('draft', 'put', 409, { error: 'Somebody else saved it', code: 'changed_meanwhile' }),
    );
    const { user } = renderAdmin(EDITOR);
    await user.type(await heading(), '!');
    server.use(
      fileIs(
        aRaffleFile({ draft: aDraft({ revision: 9, content: aContent({ title: 'Theirs' }) }) }),
      ),
    );
    await user.click(saveButton());
    await user.click(await screen.findByRole('button', { name: 'Discard mine and show theirs' }));
    expect(await heading()).toHaveValue('Theirs');
    expect(screen.queryByText('Not saved yet')).not.toBeInTheDocument();
  });

  it('outlives a stray Escape, asks before it is left, and outlives an ended session', async () => {
    const { user } = renderAdmin(EDITOR);
    await user.type(await heading(), '!');
    await user.keyboard('{Escape}');
    expect(await heading()).toHaveValue('Win the Garden Bag Essentials!');
    await user.click(screen.getByRole('link', { name: 'Back to all raffles' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    server.use(
      http.put('*/api/admin/raffles/garden-bag/draft', () =>
        HttpResponse.json({ error: 'Please sign in', code: 'unauthorized' }, { status: 401 }),
      ),
      http.post('*/api/admin/login', () =>
        HttpResponse.json({ success: true, sessionToken: TOKEN }),
      ),
    );
    await user.click(saveButton());
    const again = within(await screen.findByRole('alertdialog', { name: 'Log in again' }));
    await user.type(again.getByLabelText('Username'), 'staff');
    await user.type(again.getByLabelText('Password'), 'correct horse battery staple');
    await user.click(again.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(await heading()).toHaveValue('Win the Garden Bag Essentials!');
    server.use(saving());
    await user.click(saveButton());
    await waitFor(() => expect(saved).toHaveLength(1));
  });

  it('is only read by who may not change raffles', async () => {
    const { aMe } = await import('../../../testing/console/staff');
    server.use(adminCall('get', 'me', () => aMe({ permissions: [] })));
    renderAdmin(EDITOR);
    expect(await heading()).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Save draft' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Use this version/ })).not.toBeInTheDocument();
  });
});

describe('the upload of a picture', () => {
  const file = new File(['a bag'], 'bag.jpg', { type: 'image/jpeg' });

  it('takes the place of the built-in one, and can be removed', async () => {
    const hash = 'a'.repeat(64);
    let token: string | null = null;
    server.use(
      http.post('*/api/admin/media', ({ request }) => {
        token = request.headers.get('Authorization');
        return HttpResponse.json({ hash });
      }),
    );
    const { user } = renderAdmin(EDITOR);
    await user.upload(await screen.findByLabelText('Picture of your own'), file);
    const shown = await screen.findByRole('img', { name: 'The upload' });
    expect(shown).toHaveAttribute('src', `/media/${hash}`);
    expect(token).toBe(`Bearer ${TOKEN}`);
    await user.click(saveButton());
    await waitFor(() => expect(saved[0]?.content.picture.upload).toBe(hash));
    await user.click(screen.getByRole('button', { name: 'Remove the upload' }));
    expect(screen.queryByRole('img', { name: 'The upload' })).not.toBeInTheDocument();
  });

  it('says why a file is refused, and keeps the rest', async () => {
    const error = 'The picture is animated. A picture is a JPEG, PNG or WebP file.';
    server.use(
      http.post('*/api/admin/media', () =>
        HttpResponse.json({ error, code: 'unusable_picture' }, { status: 400 }),
      ),
    );
    const { user } = renderAdmin(EDITOR);
    await user.type(await heading(), '!');
    const input = screen.getByLabelText('Picture of your own');
    await user.upload(input, file);
    await waitFor(() => expect(input).toHaveAccessibleDescription(new RegExp(error)));
    expect(await heading()).toHaveValue('Win the Garden Bag Essentials!');
  });
});

describe('publishing', () => {
  const published: unknown[] = [];
  const publishing = (answer: object, status = 200) =>
    http.post('*/api/admin/raffles/garden-bag/publish', async ({ request }) => {
      published.push(await request.json());
      return HttpResponse.json(answer, { status });
    });

  beforeEach(() => {
    published.length = 0;
  });

  it('saves first, and says when another prize counts', async () => {
    server.use(publishing({ number: 3, takesEffectAt: '2999-01-01T05:00:00Z' }));
    const { user } = renderAdmin(EDITOR);
    await heading();
    await user.type(screen.getByLabelText("The prize's name"), ' Deluxe');
    await user.click(screen.getByRole('button', { name: 'Publish...' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(saved).toHaveLength(1);
    expect(
      dialog.getByText(/^This is another prize\. It counts from Jan 1, 2999.* on\./),
    ).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(published).toEqual([{ revision: 8, hash: 'b2' }]));
    expect(await screen.findByText(/^It takes effect Jan 1, 2999/)).toBeVisible();
  });

  it('says that words change at once, and shows why it was refused', async () => {
    server.use(publishing({ error: 'Somebody else saved it', code: 'changed_meanwhile' }, 409));
    const { user } = renderAdmin(EDITOR);
    await heading();
    await user.click(screen.getByRole('button', { name: 'Publish...' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText('The pages say this within seconds.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(await dialog.findByText('Somebody else saved it')).toBeVisible();
    expect(published).toEqual([{ revision: 7, hash: 'a1' }]);
  });

  it('waits for a second person', async () => {
    server.use(publishing({ approvalId: 3, expiresAt: '2999-01-01T05:00:00Z' }, 202));
    const { user } = renderAdmin(EDITOR);
    await heading();
    await user.click(screen.getByRole('button', { name: 'Publish...' }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Publish' }),
    );
    expect(await screen.findByText(/somebody else must approve/i)).toBeVisible();
  });

  it('names what is missing instead', async () => {
    const missing = [{ field: 'content.name', message: 'Required' }];
    const raffle = aRaffleCard({ status: 'draft' });
    server.use(fileIs(aRaffleFile({ raffle, draft: aDraft({ missing }), versions: [] })));
    const { user } = renderAdmin(EDITOR);
    await heading();
    expect(screen.getByText('Nothing is published yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Publish...' }));
    const dialog = await screen.findByRole('dialog', { name: 'Not complete yet' });
    expect(dialog).toHaveTextContent("The prize's name: Required");
  });
});

describe('versions', () => {
  it('have who and when, and can be used again', async () => {
    const later = aVersion({
      number: 3,
      isInForce: false,
      takesEffectAt: '2999-01-01T05:00:00Z',
      publishedBy: null,
    });
    const file = aRaffleFile();
    const raffle = aRaffleCard({
      waitingVersion: { number: 3, takesEffectAt: later.takesEffectAt },
    });
    server.use(fileIs({ ...file, raffle, versions: [later, ...file.versions] }));
    const { user } = renderAdmin(EDITOR);
    const list = within(await part('Versions'));
    const [third, second, first] = list.getAllByRole('listitem');
    expect(third).toHaveTextContent(/Version 3 From Jan 1, 2999/);
    expect(second).toHaveTextContent(/Version 2 In force.*by Ada/);
    expect(first).toHaveTextContent(/Version 1 .*by Grace/);
    await user.click(list.getByRole('button', { name: /version 1$/ }));
    expect(await heading()).toHaveValue('The first title');
    expect(screen.getByText('Not saved yet')).toBeVisible();
  });
});

describe('the preview', () => {
  it('is the real page with the words of the form, in a frame without scripts', async () => {
    const template =
      '<!doctype html><html data-palette="{{ raffle.palette }}"><head></head><body inert><div id="root"><h1>{{ raffle.title }}</h1>{{ raffle.scene }}{% for part in raffle.parts %}<b>{{ part.item }}</b>{% endfor %}<i>%SITE_NAME%</i></div></body></html>';
    document.body.dataset.preview = '/assets/preview.json';
    server.use(
      http.get('*/assets/preview.json', () =>
        HttpResponse.json({
          signUp: template,
          success: '<head></head><div id="root">EARLY_CODE</div>',
          scenes: { 'tool-bag': '<svg></svg>' },
        }),
      ),
    );
    const { user } = renderAdmin(EDITOR);
    const frame = () => screen.getByTitle<HTMLIFrameElement>(/, as on a/);
    await waitFor(() => expect(frame()).toBeInTheDocument());
    expect(frame().getAttribute('sandbox')).toBe('allow-same-origin');
    const html = () => frame().contentDocument?.getElementById('root')?.innerHTML ?? frame().srcdoc;
    const title = await heading();
    await user.clear(title);
    await user.type(title, '<b>"Win"</b>');
    await waitFor(() => expect(html()).toContain('&lt;b&gt;'));
    expect(html()).toContain('<svg></svg><b>Canvas tool bag</b><b>Seed box</b><i>Tombola</i>');
    await user.click(screen.getByRole('radio', { name: 'Success page' }));
    await waitFor(() => expect(html()).toContain('ABCD2345'));
    await user.click(screen.getByRole('radio', { name: 'Desk' }));
    expect(frame().title).toBe('Success page, as on a desk');
    vi.unstubAllGlobals();
    delete document.body.dataset.preview;
  });
});
