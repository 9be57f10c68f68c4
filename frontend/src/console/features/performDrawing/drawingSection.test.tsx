import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { aDrawing } from '../../../testing/console/builders';
import { never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import {
  installDrawing,
  DRAWING,
  statsAre,
  historyIs,
  select,
  drawButton,
} from '../../../testing/console/drawing';

installDrawing();

describe('the drawing section', () => {
  it('is the second in the menu, with a title of its own', async () => {
    renderAdmin(DRAWING);
    expect(await screen.findByRole('heading', { name: 'Random Drawing' })).toBeInTheDocument();
    const menu = screen.getByRole('navigation', { name: 'Sections' });
    const links = within(menu).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Analytics',
      'Drawing',
      'SMS Campaigns',
      'Settings',
      'Raffles',
      'People',
      'Sales',
      'Before you open',
    ]);
    expect(links[1]).toHaveAttribute('aria-current', 'page');
  });

  it('fetches everything again with Refresh', async () => {
    const { user } = renderAdmin(DRAWING);
    await select();
    server.use(
      statsAre({ 'fresh-sips': { users: 9, totalEntries: 9, averageEntries: 1 } }),
      historyIs([aDrawing()]),
    );
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByRole('option', { name: /Fresh Sips.*9 participants/ })).toBeEnabled();
    expect(await screen.findByRole('table', { name: /winners/ })).toBeInTheDocument();
  });
});

describe('the statistics', () => {
  const table = () => screen.findByRole('table', { name: /each raffle/ });

  it('say how many people and entries each raffle has', async () => {
    renderAdmin(DRAWING);
    expect(rowsOf(await table())).toEqual([
      ['Garden Bag Essentials', '1,204', '3,456', '2.9'],
      ['Fresh Sips Mixology Kit', '1', '3', '3.0'],
      ['Kitchen Garden Essentials', '0', '0', '0.0'],
      ['Sustainable Living Starter Kit', '0', '0', '0.0'],
    ]);
  });

  it('show a loading state', async () => {
    server.use(http.get('*/api/admin/drawing/stats', never));
    renderAdmin(DRAWING);
    for (const name of ['Raffle Statistics', 'Perform Drawing']) {
      expect(within(await part(name)).getByText('Loading...')).toBeInTheDocument();
    }
  });

  it('can be fetched again after a failure', async () => {
    server.use(
      refusing('/api/admin/drawing/stats', 503, { error: 'Away' }, { 'Retry-After': '3' }),
    );
    const { user } = renderAdmin(DRAWING);
    const statistics = within(await part('Raffle Statistics'));
    expect(await statistics.findByRole('alert')).toHaveTextContent('try again in 3 seconds');
    server.use(statsAre());
    await user.click(statistics.getByRole('button', { name: 'Try again' }));
    expect(await table()).toBeInTheDocument();
    expect(await select()).toBeEnabled(); // they feed the other card too
  });
});

describe('choosing a raffle', () => {
  it('offers each with its participants, and none without', async () => {
    renderAdmin(DRAWING);
    const options = within(await select()).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ label, disabled }) => [label, disabled])).toEqual([
      ['Choose a raffle', false],
      ['Garden Bag Essentials (1,204 participants)', false],
      ['Fresh Sips Mixology Kit (1 participant)', false],
      ['Kitchen Garden Essentials (0 participants)', true],
      ['Sustainable Living Starter Kit (0 participants)', true],
    ]);
  });

  it('shows what is drawn from', async () => {
    const { user } = renderAdmin(DRAWING);
    await user.selectOptions(await select(), 'garden-bag');
    expect(await part('Perform Drawing')).toHaveTextContent(
      'Selected raffleGarden Bag EssentialsParticipants1,204Total entries3,456',
    );
  });

  it('is required before anything is drawn', async () => {
    const { user } = renderAdmin(DRAWING);
    await user.click(await drawButton());
    const words = 'Please select a landing page/raffle to draw from';
    expect(await toast()).toHaveTextContent(`Select Raffle${words}`);
    expect(await select()).toHaveFocus();
    expect(await select()).toHaveAccessibleDescription(words);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    await user.selectOptions(await select(), 'fresh-sips');
    expect(await select()).toBeValid();
  });

  it('says why there is nothing to choose', async () => {
    server.use(statsAre({}));
    renderAdmin(DRAWING);
    expect(await screen.findByText(/no raffle has participants/)).toBeInTheDocument();
  });
});
