import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { list, proof, proving, section, strangers } from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';

describe('the page of one drawing', () => {
  beforeEach(() => server.use(proving(), strangers, list()));

  it('prints the winning ticket', async () => {
    await renderPath('/drawings/4');
    const title = 'Drawing of December 1, 2026';
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    expect(document.title).toBe(`${title} | Tombola`);
    const ticket = await section('Drawn entry');
    expect(ticket).toHaveTextContent(String(proof.winningEntryNumber));
    expect(ticket).toHaveTextContent(
      `Drawn from ${proof.totalEntries} entries of ${proof.totalParticipants} participants.`,
    );
    expect(ticket).toHaveTextContent('phone number ends in 0000.');
  });

  it('shows all that was published, and where it is for other ways to check', async () => {
    await renderPath('/drawings/4');
    const published = await section('What was published');
    const shown = [...published.querySelectorAll('dd code')].map((code) => code.textContent);
    const { commitment, seed, root, verificationHash, auditLogHash } = proof;
    expect(shown).toEqual([commitment, seed, root, verificationHash, auditLogHash]);
    expect(published).toHaveTextContent('random number generator of our server’s operating system');
    for (const [name, href, file] of [
      ['The proof (JSON)', `/api/drawings/${proof.drawing}/proof`, 'proof.json'],
      ['The list of entrants (CSV)', `/api/drawings/${proof.drawing}/entrants`, 'entrants.csv'],
    ] as const) {
      const link = within(published).getByRole('link', { name });
      expect(link).toHaveAttribute('href', href);
      expect(link).toHaveAttribute('download', `drawing-${proof.drawing}-${file}`);
    }
    const files = `drawing-${proof.drawing}-proof.json --entrants drawing-${proof.drawing}-entrants.csv`;
    expect(published).toHaveTextContent(`tombola drawing verify ${files}`);
    expect(published).toHaveTextContent(`python3 scripts/drawing/verify_drawing.py ${files}`);
  });

  it('says what the proof cannot show', async () => {
    await renderPath('/drawings/4');
    const shows = await section('What the proof shows, and what it cannot');
    expect(shows).toHaveTextContent('It cannot show that we did not choose the winner');
    expect(shows).toHaveTextContent('try keys, or choose the moment of the drawing');
    expect(shows).toHaveTextContent('everyone on the list is a different person');
    expect(shows).toHaveTextContent('For them you have only our word');
  });

  it.each(['/drawings/999', '/drawings/seven', '/drawings/0', '/drawings/1e1'])(
    '%s, which there is not, leads to the list',
    async (path) => {
      server.use(refusing('/api/drawings/:id/proof', 404, { error: 'No', code: 'not_found' }));
      await renderPath(path);
      expect(
        await screen.findByRole('heading', { level: 1, name: 'We cannot find this drawing' }),
      ).toBeInTheDocument();
      expect(screen.getByRole('link', { name: 'See all drawings' })).toHaveAttribute(
        'href',
        '/drawings',
      );
    },
  );

  it('says that it is loading on a blank ticket', async () => {
    server.use(http.get('*/api/*', () => delay('infinite')));
    await renderPath('/drawings/4');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Drawing$/);
    expect(within(await section('Drawn entry')).getByRole('status')).toHaveTextContent('Loading');
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(refusing('/api/drawings/:id/proof', 500, 'broken'));
    await renderPath('/drawings/4');
    expect(await screen.findByRole('alert')).toHaveTextContent('on our side');
    server.use(proving());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await section('Check it yourself')).toBeInTheDocument();
  });
});
