import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { proving, section, strangers, vector, vectors } from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';
import type { DrawnProof } from './verification/proof';

describe('were you in?', () => {
  const drawing = vectors.drawings.find(({ totalParticipants }) => totalParticipants === 8)!;
  const own = {
    entrantId: drawing.entrants[4]!.id,
    phoneNumber: drawing.entrants[4]!.number,
    personSalt: drawing.entrants[4]!.personSalt,
    salt: drawing.leaves[4]!.salt,
    leaf: { ...drawing.leaves[4]!, weight: drawing.entrants[4]!.weight },
    path: drawing.paths[4]!,
  };
  const { root, totalParticipants } = drawing;
  const answering = (changes: Partial<typeof own> = {}) =>
    http.get('*/api/drawings/:id/own-leaf', () => HttpResponse.json({ ...own, ...changes }));

  const drawn = vector('drawn').proof as DrawnProof;
  const drawnWith = (winningEntryNumber: number) =>
    proving({ ...drawn, root, totalParticipants, winningEntryNumber });

  beforeEach(() => server.use(drawnWith(1)));

  it('shows your ticket, checked', async () => {
    server.use(answering());
    await renderPath('/drawings/4');
    const ticket = await section('Were you in?');
    expect(await within(ticket).findByText(/^Checked in your browser/)).toBeInTheDocument();
    expect(ticket).toHaveTextContent(
      'Line 5 of the list is made from them, and the root of this drawing covers it.',
    );
    const { firstEntry, weight } = own.leaf;
    const range = weight === 1 ? `${firstEntry}` : `${firstEntry}–${firstEntry + weight - 1}`;
    expect(ticket).toHaveTextContent(
      `You had ${weight} of ${drawn.totalEntries} entries (${range}). Entry 1 is not one of them.`,
    );
    for (const part of [own.salt, own.personSalt, own.phoneNumber]) {
      expect(ticket).toHaveTextContent(part);
    }
    expect(ticket).not.toHaveTextContent('won');
  });

  it('says when it is the one that won', async () => {
    const winningEntryNumber = own.leaf.firstEntry;
    server.use(answering(), drawnWith(winningEntryNumber));
    await renderPath('/drawings/4');
    expect(await screen.findByText(`entry ${winningEntryNumber} is yours`)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Your page' })).toHaveAttribute(
      'href',
      `/${drawn.landingPage}/success/${own.entrantId}`,
    );
  });

  it.each([
    [
      'made of another id',
      { entrantId: own.entrantId + 1 },
      /not made from your id, phone number and salts/,
    ],
    ['not under the root', { path: drawing.paths[3]! }, /do not lead to the root/],
  ])('says when it is %s', async (_, changes, problem) => {
    server.use(answering(changes));
    await renderPath('/drawings/4');
    expect(await screen.findByRole('alert')).toHaveTextContent(problem);
    expect(screen.queryByText(/^Checked in your browser/)).not.toBeInTheDocument();
  });

  it('says to others how it is known who they are', async () => {
    server.use(strangers);
    await renderPath('/drawings/4');
    expect(await screen.findByText(/^This browser has no entry in this drawing/)).toHaveTextContent(
      'Entered in another one? Open this page there.',
    );
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(refusing('/api/drawings/:id/own-leaf', 500, 'broken'));
    await renderPath('/drawings/4');
    const ticket = await section('Were you in?');
    expect(await within(ticket).findByRole('alert')).toHaveTextContent('on our side');
    server.use(answering());
    await userEvent.click(within(ticket).getByRole('button', { name: 'Try again' }));
    expect(await within(ticket).findByText(/^Checked in your browser/)).toBeInTheDocument();
  });
});
