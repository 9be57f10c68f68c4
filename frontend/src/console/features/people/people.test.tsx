import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminCall, never } from '../../../testing/console/handlers';
import {
  aPerson,
  aPersonRow,
  aRequest,
  erased,
  FILE,
  PEOPLE,
  peopleAre,
  personIs,
  requestsAre,
  tagsAre,
} from '../../../testing/console/people';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const table = () => screen.findByRole('table', { name: /Who entered/ });

beforeEach(() => server.use(tagsAre(['vip']), requestsAre([]), personIs(aPerson())));

describe('the list of people', () => {
  it('says who entered, newest first, and leads to each', async () => {
    server.use(
      peopleAre([
        aPersonRow({ tags: ['press', 'vip'], isFlagged: true }),
        aPersonRow({ id: 8, phoneNumber: null, isFlagged: true, isDuplicate: true }),
      ]),
    );
    const { user } = renderAdmin(PEOPLE);
    expect(rowsOf(await table())).toEqual([
      [
        '(555) 123-4567 Flagged',
        'Garden Bag Essentials',
        '12',
        'CDFG3467',
        'pressvip',
        'Nov 20, 2026, 10:00 AM',
      ],
      [
        'Deleted, ID 8 Duplicate',
        'Garden Bag Essentials',
        '12',
        'CDFG3467',
        '',
        'Nov 20, 2026, 10:00 AM',
      ],
    ]);
    await user.click(screen.getByRole('link', { name: '(555) 123-4567' }));
    expect(await screen.findByRole('heading', { name: '(555) 123-4567' })).toBeInTheDocument();
    expect(location.search).toBe('?section=people&person=7');
    expect(screen.getByRole('link', { name: 'Back to all people' })).toHaveFocus();
  });

  it('asks with the filters, which stand in the address', async () => {
    const asked: string[] = [];
    server.use(
      adminCall('get', 'people', ({ url }) => {
        asked.push(new URL(url).search);
        return { people: [aPersonRow()], total: 1, isTotalExact: true };
      }),
    );
    const { user } = renderAdmin(PEOPLE);
    await table();
    await user.selectOptions(screen.getByLabelText('Flag'), 'Flagged');
    await user.selectOptions(screen.getByLabelText('Landing page'), 'Fresh Sips Mixology Kit');
    await user.selectOptions(await screen.findByLabelText('Tag'), 'vip');
    await user.type(screen.getByRole('searchbox'), '4567');
    await waitFor(() => expect(asked.at(-1)).toContain('query=4567'));
    for (const filter of ['flagged=true', 'landingPage=fresh-sips', 'tag=vip', 'offset=0']) {
      expect(asked.at(-1)).toContain(filter);
    }
    expect(location.search).toContain('search=4567');
  });

  it('finds nobody by what cannot be searched for, and blames nothing while it is typed', async () => {
    server.use(
      refusing('/api/admin/people', 400, {
        code: 'validation',
        error: 'Please check the marked fields.',
        fields: { query: ['Enter a phone number.'] },
      }),
    );
    renderAdmin(`${PEOPLE}&search=x`);
    expect(await screen.findByText('Nothing matches')).toBeInTheDocument();
    expect(
      screen.getByText('Search by number, its last 4 digits, referral code or ID.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('searchbox')).not.toBeInvalid();
    expect(screen.queryByText('Please check the marked fields.')).not.toBeInTheDocument();
  });

  it('says that more match than are counted', async () => {
    server.use(peopleAre([aPersonRow()], false));
    renderAdmin(PEOPLE);
    expect(await screen.findByText(/More than 1,000 match/)).toBeInTheDocument();
  });

  it('says so while it loads, when nobody entered, and when nothing matches', async () => {
    server.use(http.get('*/api/admin/people', never));
    const { unmount } = renderAdmin(PEOPLE);
    const list = await part('Everybody who entered');
    expect(await within(list).findByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(peopleAre([]));
    const none = renderAdmin(PEOPLE);
    expect(await screen.findByText('Nobody has entered yet')).toBeInTheDocument();
    none.unmount();
    renderAdmin(`${PEOPLE}&flagged=true`);
    expect(await screen.findByText('Nothing matches')).toBeInTheDocument();
  });
});

describe('the file of a person', () => {
  it('has everything about them, with the newest hundred of long lists', async () => {
    const at = '2026-11-20T15:00:00Z';
    server.use(
      personIs(
        aPerson({
          referredBy: { id: 9, phoneNumber: '+15557654321' },
          ledger: {
            rows: [{ id: 1, kind: 'referral', delta: 1, causeId: 9, createdAt: at }],
            total: 140,
          },
          replies: { rows: [{ id: 1, body: 'Stop it', keyword: 'stop', createdAt: at }], total: 1 },
          purchases: {
            rows: [
              {
                id: 1,
                amount: 500,
                entriesAdded: 10,
                status: 'completed',
                createdAt: at,
                completedAt: at,
                refundedAt: null,
                failedRefunds: 499,
              },
            ],
            total: 1,
          },
          claims: [{ id: 5, drawingId: 7, rank: 0, status: 'submitted', createdAt: at }],
        }),
      ),
    );
    renderAdmin(FILE);
    const signUp = await part('Sign-up');
    for (const text of ['7', 'CDFG3467', '203.0.113.7', 'Yes, they agreed', 'vip']) {
      expect(within(signUp).getByText(text)).toBeInTheDocument();
    }
    expect(within(signUp).getByRole('link', { name: '(555) 765-4321' })).toBeInTheDocument();
    expect(await part('Entries')).toHaveTextContent('The newest 1 of 140');
    expect(await part('Replies')).toHaveTextContent('Stop it STOP');
    expect(await part('Purchases')).toHaveTextContent('$5.00');
    expect(await part('Purchases')).toHaveTextContent('A refund of $4.99 failed');
    const claims = await part('Claims to prizes');
    const link = within(claims).getByRole('link', { name: '7' });
    expect(link).toHaveAttribute('href', '/admin?section=drawing&claim=5');
  });

  it('says when they moved from one raffle to another', async () => {
    const moves = [
      { from: 'garden-bag', to: 'fresh-sips', movedAt: '2026-11-20T15:00:00Z' },
      { from: 'fresh-sips', to: 'gone-box', movedAt: '2026-12-20T15:00:00Z' },
    ];
    server.use(personIs(aPerson({ moves })));
    renderAdmin(FILE);
    const list = await screen.findByRole('list', { name: 'Moves between raffles' });
    const lines = within(list).getAllByRole('listitem');
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'Moved from Garden Bag Essentials to Fresh Sips Mixology Kit on Nov 20, 2026, 10:00 AM',
      'Moved from Fresh Sips Mixology Kit to gone-box on Dec 20, 2026, 10:00 AM',
    ]);
  });

  it('shows what allowed a campaign text', async () => {
    const at = '2026-11-20T15:00:00Z';
    const text = {
      id: 11,
      kind: 'campaign',
      campaignName: 'June',
      status: 'delivered',
      body: 'Hello',
      createdAt: at,
      sentAt: at,
    };
    server.use(
      personIs(aPerson({ texts: { rows: [text], total: 1 } })),
      adminCall('get', 'sms/messages/11/evidence', {
        wording: 'Text me about raffles',
        act: 'form',
        at,
        ipAddress: null,
        optOuts: [],
        monthCount: 1,
        localTime: null,
        consentBasis: null,
      }),
    );
    const { user } = renderAdmin(FILE);
    await user.click(within(await part('Texts')).getByRole('button', { name: 'Show' }));
    expect(await screen.findByText('“Text me about raffles”')).toBeInTheDocument();
  });

  it('says that somebody was deleted, and offers nothing to change', async () => {
    server.use(personIs(erased()));
    renderAdmin(FILE);
    expect(await screen.findByRole('heading', { name: 'Deleted person' })).toBeInTheDocument();
    expect(screen.getByText(/data was deleted on Nov 21, 2026/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /duplicate|copy|Save/ })).not.toBeInTheDocument();
  });

  it('says that nobody has this ID, and can be fetched again after a failure', async () => {
    server.use(refusing('/api/admin/people/7', 404, { code: 'not_found', error: 'No.' }));
    const { unmount } = renderAdmin(FILE);
    expect(await screen.findByText('There is nobody with this ID')).toBeInTheDocument();
    unmount();
    server.use(refusing('/api/admin/people/7', 503, { code: 'unavailable', error: 'No.' }));
    const { user } = renderAdmin(FILE);
    const retry = await screen.findByRole('button', { name: 'Try again' });
    server.use(personIs(aPerson()));
    await user.click(retry);
    expect(await part('Sign-up')).toBeInTheDocument();
  });
});

describe('tags and notes', () => {
  it('sends only what was changed, once', async () => {
    const bodies: unknown[] = [];
    let person = aPerson();
    server.use(
      personIs(() => person),
      adminCall('patch', 'people/7', async (request) => {
        bodies.push(await request.json());
        person = aPerson({ tags: ['press', 'vip'] });
        return { tags: person.tags, notes: person.notes };
      }),
    );
    const { user } = renderAdmin(FILE);
    const tags = await screen.findByLabelText('Tags');
    await user.type(tags, ', Press, press,');
    await user.dblClick(screen.getByRole('button', { name: 'Save' }));
    expect(await toast()).toHaveTextContent('Tags and notes saved');
    expect(bodies).toEqual([{ tags: ['vip', 'press'] }]);
    await waitFor(() => expect(tags).toHaveValue('press, vip'));
  });

  it('keeps what was typed when it cannot be saved, and checks it first', async () => {
    server.use(
      http.patch('*/api/admin/people/7', () =>
        HttpResponse.json({ code: 'conflict', error: 'Not now.' }, { status: 409 }),
      ),
    );
    const { user } = renderAdmin(FILE);
    const notes = await screen.findByLabelText('Notes');
    await user.type(notes, ' And in June.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(await part('Tags and notes')).toHaveTextContent('Not now.'));
    expect(notes).toHaveValue('Called in May. And in June.');
    await user.type(screen.getByLabelText('Tags'), `,${'x'.repeat(41)}`);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Each tag must have at most 40 characters')).toBeInTheDocument();
  });
});

describe('duplicates', () => {
  it('are marked with the entry that stays and a reason, and the mark is undone', async () => {
    let person = aPerson();
    const bodies: unknown[] = [];
    server.use(
      personIs(() => person),
      adminCall('post', 'people/7/duplicate-of', async (request) => {
        bodies.push(await request.json());
        const at = '2026-11-21T15:00:00Z';
        person = aPerson({
          duplicateOf: { id: 9, phoneNumber: '+15557654321', reason: 'Two phones', mergedAt: at },
        });
        return person;
      }),
      adminCall('delete', 'people/7/duplicate-of', () => (person = aPerson())),
    );
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name: 'Mark as a duplicate' }));
    const dialog = await screen.findByRole('alertdialog');
    const confirm = within(dialog).getByRole('button', { name: 'Mark as a duplicate' });
    await user.click(confirm);
    expect(await within(dialog).findByText('Enter a reason.')).toBeInTheDocument();
    await user.type(within(dialog).getByLabelText('ID of the entry that stays'), '9');
    await user.type(within(dialog).getByLabelText('Reason'), 'Two phones');
    await user.dblClick(confirm);
    expect(await screen.findByText(/This entry is a duplicate of/)).toBeInTheDocument();
    expect(bodies).toEqual([{ userId: 9, reason: 'Two phones' }]);

    await user.click(screen.getByRole('button', { name: /Undo/ }));
    const undo = await screen.findByRole('alertdialog');
    await user.click(within(undo).getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(/No other entry/)).toBeInTheDocument();
  });

  it('says at the field why an entry cannot stay', async () => {
    server.use(
      http.post('*/api/admin/people/7/duplicate-of', () =>
        HttpResponse.json(
          {
            code: 'validation',
            error: 'Please check the marked fields.',
            fields: { userId: ['There is no entry with this ID'] },
          },
          { status: 400 },
        ),
      ),
    );
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name: 'Mark as a duplicate' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.type(within(dialog).getByLabelText('ID of the entry that stays'), '99');
    await user.type(within(dialog).getByLabelText('Reason'), 'Two phones');
    await user.click(within(dialog).getByRole('button', { name: 'Mark as a duplicate' }));
    expect(await within(dialog).findByText('There is no entry with this ID')).toBeInTheDocument();
  });
});

describe('copy and deletion', () => {
  it('makes a copy, and shows its link', async () => {
    let requests = [aRequest({ id: 2, status: 'expired', fileUrl: null })];
    server.use(
      requestsAre(() => requests),
      adminCall('post', 'people/7/data-requests', async (request) => {
        expect(await request.json()).toEqual({ requestType: 'export' });
        requests = [aRequest({ fileUrl: null }), ...requests];
        return aRequest();
      }),
    );
    const { user } = renderAdmin(FILE);
    const card = await part('Copy and deletion');
    expect(await within(card).findByText('Code not entered in time')).toBeInTheDocument();
    await user.click(within(card).getByRole('button', { name: 'Make a copy' }));
    const link = await within(card).findByRole('link', { name: 'Download the copy' });
    expect(link).toHaveAttribute('href', aRequest().fileUrl);
    expect(within(card).getByText(/The link is shown only now/)).toBeVisible();
    expect(await within(card).findAllByText('Done')).toHaveLength(1);
  });

  it('deletes with the code that the person reads out', async () => {
    let person = aPerson();
    let requests: ReturnType<typeof aRequest>[] = [];
    const waiting = aRequest({
      requestType: 'erasure',
      status: 'pending',
      completedAt: null,
      fileUrl: null,
      verification: {
        id: 'data-request-3',
        expiresAt: '2026-11-21T15:10:00Z',
        expiresAfter: 600,
        resendAfter: 60,
        undeliverable: false,
      },
    });
    const codes: unknown[] = [];
    server.use(
      personIs(() => person),
      requestsAre(() => requests),
      adminCall('post', 'people/7/data-requests', () => {
        requests = [waiting];
        return waiting;
      }),
      adminCall('post', 'people/7/data-requests/3/confirm', async (request) => {
        codes.push(await request.json());
        person = erased();
        return { ...waiting, status: 'completed', verification: null };
      }),
    );
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name: "Delete this person's data" }));
    const dialog = await screen.findByRole('alertdialog');
    await user.type(within(dialog).getByLabelText('Type DELETE to confirm'), 'DELETE');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    const code = await screen.findByLabelText('6-digit code');
    await user.type(code, '12');
    await user.click(screen.getByRole('button', { name: 'Confirm and delete' }));
    expect(await screen.findByText('Enter the six digits of the code.')).toBeInTheDocument();
    await user.type(code, '3-456');
    await user.dblClick(screen.getByRole('button', { name: 'Confirm and delete' }));
    expect(await screen.findByRole('heading', { name: 'Deleted person' })).toBeInTheDocument();
    expect(codes).toEqual([{ code: '123-456' }]);
  });

  it('says why nothing can be deleted yet', async () => {
    server.use(
      http.post('*/api/admin/people/7/data-requests', () =>
        HttpResponse.json(
          { code: 'open_claim', error: 'A claim to a prize is not settled yet.' },
          { status: 409 },
        ),
      ),
    );
    const { user } = renderAdmin(FILE);
    await user.click(await screen.findByRole('button', { name: "Delete this person's data" }));
    const dialog = await screen.findByRole('alertdialog');
    await user.type(within(dialog).getByLabelText('Type DELETE to confirm'), 'DELETE');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(
      await within(dialog).findByText('A claim to a prize is not settled yet.'),
    ).toBeInTheDocument();
  });
});
