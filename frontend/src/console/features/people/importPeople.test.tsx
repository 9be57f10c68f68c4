import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../../testing/console/people';
import { part, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { aProposal } from '../../../testing/console/staff';
import { server } from '../../../testing/server';

const PAGE = `${PEOPLE}&view=import`;
const aFile = (text = 'phoneNumber,landingPage,consentBasis\n') =>
  new File([text], 'people.csv', { type: 'text/csv' });

/** A server that takes files. `calls` has whether each call was a dry run, and what came with it. */
function taking(answer: object, status = 200) {
  const calls: { dryRun: string | null; type: string | null }[] = [];
  server.use(
    http.post('*/api/admin/people/import', ({ request }) => {
      const dryRun = new URL(request.url).searchParams.get('dryRun');
      const type = request.headers.get('Content-Type');
      calls.push({ dryRun, type });
      return HttpResponse.json(answer, { status });
    }),
  );
  return calls;
}

describe('the import of people', () => {
  it('says what a file would do, and then does it once', async () => {
    const calls = taking({ importBatchId: 'a1b2', imported: 2, known: 1 });
    const { user } = renderAdmin(PAGE);
    await user.upload(await screen.findByLabelText('File'), aFile('phoneNumber'));
    expect(await screen.findByText(/2 people would be imported/)).toHaveTextContent(
      'All lines are good. 2 people would be imported. 1 entered before and stay as they are.',
    );
    await user.dblClick(screen.getByRole('button', { name: 'Import 2 people' }));
    expect(await screen.findByText(/2 people imported/)).toHaveTextContent('The batch is a1b2.');
    expect(calls.map(({ dryRun }) => dryRun)).toEqual(['true', 'false']);
    expect(calls[0]!.type).toBe('text/csv');
    expect(screen.queryByRole('button', { name: /^Import/ })).not.toBeInTheDocument();
  });

  it('is proposed when the file is too large for one person', async () => {
    const calls = taking({ importBatchId: null, imported: 1200, known: 0 });
    const { user } = renderAdmin(PAGE);
    await user.upload(await screen.findByLabelText('File'), aFile());
    const button = await screen.findByRole('button', { name: 'Import 1,200 people' });
    const proposed = taking(aProposal, 202);
    await user.click(button);
    expect(
      await screen.findByText(/Somebody else must approve it by Nov 22, 2026, 3:04 PM/),
    ).toBeInTheDocument();
    expect(screen.getByText(/choose the same file here again/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Import/ })).not.toBeInTheDocument();
    expect([calls, proposed].map((list) => list.map(({ dryRun }) => dryRun))).toEqual([
      ['true'],
      ['false'],
    ]);
  });

  it('names every bad line, and imports nobody', async () => {
    const lines = [
      { line: 3, error: 'The phone number is not valid' },
      { line: 7, error: 'There is no such landing page' },
    ];
    taking({ code: 'bad_lines', error: 'Some lines cannot be imported.', lines }, 400);
    const { user } = renderAdmin(PAGE);
    await user.upload(await screen.findByLabelText('File'), aFile());
    expect(await screen.findByText(/2 lines cannot be imported/)).toBeInTheDocument();
    const table = within(await part('Lines to mend')).getByRole('table');
    expect(rowsOf(table)).toEqual([
      ['3', 'The phone number is not valid'],
      ['7', 'There is no such landing page'],
    ]);
    expect(screen.queryByRole('button', { name: /^Import/ })).not.toBeInTheDocument();
  });

  it('says why a file could not be sent, and takes it again', async () => {
    taking({ code: 'unavailable', error: 'Not now.' }, 503);
    const { user } = renderAdmin(PAGE);
    const field = await screen.findByLabelText('File');
    await user.upload(field, aFile());
    expect(await screen.findByText(/busy or can't reach its database/)).toBeInTheDocument();
    taking({ importBatchId: null, imported: 0, known: 4 });
    await user.upload(field, aFile());
    expect(await screen.findByText(/0 people would be imported/)).toBeInTheDocument();
    expect(screen.queryByText(/busy or/)).not.toBeInTheDocument();
  });

  it('refuses a file that is too large without sending it', async () => {
    const calls = taking({});
    const { user } = renderAdmin(PAGE);
    await user.upload(
      await screen.findByLabelText('File'),
      aFile('x'.repeat(10 * 1024 * 1024 + 1)),
    );
    expect(await screen.findByText('The file is larger than 10 MB.')).toBeInTheDocument();
    expect(calls).toEqual([]);
  });

  it('asks to log in again when the session has ended', async () => {
    taking({ code: 'unauthorized', error: 'Please log in again.' }, 401);
    const { user } = renderAdmin(PAGE);
    await user.upload(await screen.findByLabelText('File'), aFile());
    expect(await screen.findByRole('alertdialog', { name: 'Log in again' })).toBeInTheDocument();
  });
});
