import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import {
  aDrawing,
  proving,
  folded,
  section,
  strangers,
  vector,
} from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { server } from '../../../testing/server';
import type { Drawing } from './api';
import type { DrawnProof, SealedProof } from './verification/proof';

const drawn = vector('drawn').proof as DrawnProof;
const late = vector('void').proof as SealedProof;
const { lateRound, ...given } = late;
const SIGNATURE = 'ab'.repeat(48);

const drawingIs = (changes: Partial<Drawing>) =>
  http.get('*/api/drawings/:id', () => HttpResponse.json(aDrawing(changes)));

const voided = {
  reason: 'The beacon was gone.',
  at: '2023-08-30T16:00:00Z',
  hosts: [{ host: 'api.drand.sh', answer: 'the round is not published' }],
  wouldHaveWon: null,
};

describe('the page of a void drawing', () => {
  afterEach(() => localStorage.clear());

  const open = async (proof: SealedProof | DrawnProof, drawing: Partial<Drawing>) => {
    server.use(proving(proof), strangers, drawingIs(drawing));
    await renderPath('/drawings/47');
  };

  it('says why, what the servers of the beacon answered, and which entry would have won', async () => {
    const wouldHaveWon = lateRound!.entryNumber;
    await open(late, { status: 'void', void: { ...voided, wouldHaveWon } });
    const card = await section('Void');
    expect(card).toHaveTextContent(
      'Made void August 30, 2023 at 12:00 PM EDT: The beacon was gone.',
    );
    expect(card).toHaveTextContent('api.drand.sh: the round is not published');
    expect(card).toHaveTextContent(`Entry ${wouldHaveWon} would have won.`);
    expect(screen.queryByRole('region', { name: 'The random value is missing' })).toBeNull();
  });

  it('says that it was drawn after all', async () => {
    await open(drawn, { status: 'drawn', void: voided });
    expect(await section('Void at first, and drawn after all')).toBeInTheDocument();
  });

  it('leads from the drawing that takes its list', async () => {
    await open(drawn, { status: 'drawn', replaces: 12 });
    const link = await screen.findByRole('link', { name: 'drawing 12' });
    expect(link).toHaveAttribute('href', '/drawings/12');
  });

  it('says both when the drawing that took a list is void itself', async () => {
    await open(given, { status: 'void', void: voided, replaces: 12 });
    expect(await screen.findByRole('link', { name: 'drawing 12' })).toBeInTheDocument();
    expect(await section('Void')).toHaveTextContent('The beacon was gone.');
  });

  it('does not ask for a random value that is only a little late', async () => {
    const waitingSince = new Date(Date.now() - 60_000).toISOString();
    const waiting: SealedProof = { ...given, status: 'sealed' };
    await open({ ...waiting, beacon: { ...given.beacon, waitingSince } }, { status: 'sealed' });
    await folded('Timeline');
    expect(screen.queryByRole('region', { name: 'The random value is missing' })).toBeNull();
  });

  it('asks for one that is late', async () => {
    const waitingSince = new Date(Date.now() - 600_000).toISOString();
    const waiting: SealedProof = { ...given, status: 'sealed' };
    await open({ ...waiting, beacon: { ...given.beacon, waitingSince } }, { status: 'sealed' });
    expect(await section('The random value is missing')).toHaveTextContent('every 30 seconds');
  });

  it('lets anybody bring the random value, once', async () => {
    await open(given, { status: 'void', void: voided });
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/drawings/:id/beacon', async ({ request }) => {
        sent.push(await request.json());
        await delay(20);
        server.use(proving(drawn));
        return HttpResponse.json(aDrawing({ status: 'drawn' }));
      }),
    );
    const user = userEvent.setup();
    const card = within(await section('The random value is missing'));
    await user.click(await card.findByLabelText('Signature'));
    await user.paste(` ${SIGNATURE}\n`);
    await user.dblClick(card.getByRole('button', { name: 'Bring it' }));
    expect(await section('Drawn entry')).toBeInTheDocument();
    expect(sent).toEqual([{ round: given.beacon.round, signature: SIGNATURE }]);
  });

  it('says what is wrong with a signature, and keeps it', async () => {
    await open(given, { status: 'void', void: voided });
    const sentence = 'This signature is not valid for the round.';
    const refused = { error: sentence, code: 'beacon_invalid' };
    server.use(
      http.post('*/api/drawings/:id/beacon', () => HttpResponse.json(refused, { status: 400 })),
    );
    const user = userEvent.setup();
    const card = within(await section('The random value is missing'));
    const field = await card.findByLabelText('Signature');
    await user.type(field, 'abc{Enter}');
    expect(await card.findByRole('alert')).toHaveTextContent('A signature has 96 digits');
    await user.clear(field);
    await user.click(field);
    await user.paste(SIGNATURE);
    await user.click(card.getByRole('button', { name: 'Bring it' }));
    expect(await card.findByText(sentence)).toBeInTheDocument();
    expect(field).toHaveValue(SIGNATURE);
  });
});
