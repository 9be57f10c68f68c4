import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  list,
  logging,
  proving,
  folded,
  strangers,
  vector,
} from '../../../../testing/site/drawings';
import { renderPath } from '../../../../testing/site/renderPath';
import { refusing, server } from '../../../../testing/server';
import type { DrawnProof, LogEntry, Proof } from '../verification/proof';
import { compareDrawing, compareLog } from './compare';
import { readKept, writeKept } from './keep';

const drawn = vector('drawn').proof as DrawnProof;
const log = vector('beacon off').logAfter!;
const day = (n: number) => new Date(Date.UTC(2026, 10, n));
const alert = () => screen.findByRole('alert', { name: 'A different log' });

/** The same drawing before the random value was there. */
const sealed = (): Proof => {
  const { chainHash, round } = drawn.beacon;
  return { ...drawn, status: 'sealed', beacon: { chainHash, round } };
};

const without = (entries: LogEntry[], id: number) => entries.filter((entry) => entry.id !== id);

beforeEach(() => server.use(proving(drawn), strangers, list(), logging(log)));
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('a drawing that this browser has kept', () => {
  it('was sealed before the beacon if the seal was kept before the round', async () => {
    const before = new Date('2023-08-23T15:55:00Z');
    expect(compareDrawing(sealed(), undefined, before)).toBeUndefined();
    await renderPath('/drawings/41');
    expect(
      await screen.findByText(
        'Sealed before the beacon: your browser has kept the seal since August 23, 2023 at 11:55 AM EDT.',
      ),
    ).toBeInTheDocument();
    expect(screen.queryByRole('alert', { name: 'A different log' })).not.toBeInTheDocument();
  });

  it('was not witnessed if it was kept afterwards', async () => {
    expect(compareDrawing(drawn, undefined, new Date('2023-08-23T15:59:24Z'))).toBeUndefined();
    await renderPath('/drawings/41');
    await waitFor(() => expect(readKept().askedAt).toBeDefined());
    expect(await folded('Timeline')).toHaveTextContent("didn't see the list before the draw");
  });

  it('is kept when its page is opened', async () => {
    await renderPath('/drawings/41');
    await waitFor(() => expect(readKept().drawings[41]?.seal).toEqual(drawn.seal));
    expect(readKept().drawings[41]?.root).toBe(drawn.root);
  });

  it('is compared later, and a difference is shown with both sides', async () => {
    compareDrawing(drawn, undefined, day(3));
    server.use(proving({ ...drawn, root: '11'.repeat(32) }));
    await renderPath('/drawings/41');
    expect(await alert()).toHaveTextContent(
      "This server's log differs from the copy that your browser kept on November 2, 2026",
    );
    const link = screen.getByRole('link', { name: 'Keep a copy of both' });
    expect(link).toHaveAttribute('download', 'different-log.json');
    const copy = decodeURIComponent(link.getAttribute('href')!.split(',').slice(1).join(','));
    expect(JSON.parse(copy)).toMatchObject({
      kept: { root: drawn.root },
      published: { root: '11'.repeat(32) },
    });
  });

  it('differs when the seal is another', () => {
    compareDrawing(drawn, undefined);
    const seal = { ...drawn.seal, hash: '22'.repeat(32) };
    expect(compareDrawing({ ...drawn, seal }, undefined)).toBeDefined();
  });

  it("differs when one's own leaf is not under the root any more", () => {
    const salts = { personSalt: '00'.repeat(32), salt: '00'.repeat(16) };
    const own = { entrantId: 1, phoneNumber: '+12125550123', ...salts, ...drawn.winner };
    expect(compareDrawing(drawn, own)).toBeUndefined();
    expect(compareDrawing(drawn, undefined)).toBeUndefined();
    const kept = readKept();
    const leaf = { ...own.leaf, weight: own.leaf.weight + 1 };
    writeKept({ ...kept, drawings: { 41: { ...kept.drawings[41]!, own: { ...own, leaf } } } });
    expect(compareDrawing(drawn, undefined)).toBeDefined();
  });

  it('is not kept where nothing can be', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(compareDrawing(drawn, undefined)).toBeUndefined();
    expect(await compareLog()).toBeUndefined();
    expect(readKept()).toEqual({ drawings: {} });
  });

  it('drops the oldest of many', () => {
    for (let n = 1; n <= 26; n += 1) compareDrawing({ ...drawn, drawing: n }, undefined, day(n));
    expect(Object.keys(readKept().drawings)).toHaveLength(24);
    expect(readKept().drawings[1]).toBeUndefined();
  });
});

describe('the log', () => {
  it('is asked for once a day, from the entry that was kept', async () => {
    const asked: string[] = [];
    server.use(logging(log.slice(0, 5), asked));
    expect(await compareLog(day(1))).toBeUndefined();
    expect(readKept().head).toMatchObject({ id: 5, hash: log[4]!.hash });
    await compareLog(new Date(day(2).getTime() - 1));
    expect(asked).toEqual(['0']);
    server.use(logging(log, asked));
    expect(await compareLog(day(2))).toBeUndefined();
    expect(asked).toEqual(['0', '4']);
    expect(readKept().head).toMatchObject({ id: log.length, hash: log.at(-1)!.hash });
  });

  it.each<[string, LogEntry[]]>([
    ['has another entry', log.map((entry) => ({ ...entry, hash: '33'.repeat(32) }))],
    ['is shorter', log.slice(0, 3)],
    ['lost an entry after it', without(log, 7)],
  ])('that %s is told from the one that was kept', async (_, changed) => {
    server.use(logging(log.slice(0, 5)));
    await compareLog(day(1));
    server.use(logging(changed));
    expect(await compareLog(day(2))).toMatchObject({ savedAt: day(1).toISOString() });
    expect(readKept().head?.id).toBe(5);
    expect(await compareLog(day(2))).toBeDefined(); // still, without asking again
    server.use(logging(log));
    expect(await compareLog(day(3))).toBeUndefined();
  });

  it('that cannot be had is no difference', async () => {
    writeKept({ head: { id: 5, hash: 'no', savedAt: day(1).toISOString() }, drawings: {} });
    for (const answer of [
      refusing('/api/drawings/log', 503, { error: 'Away' }),
      refusing('/api/drawings/log', 200, '<html>'),
    ]) {
      server.use(answer);
      expect(await compareLog(day(2))).toBeUndefined();
      expect(readKept().askedAt).toBeUndefined();
    }
  });

  it('is compared on the success page too', async () => {
    writeKept({
      head: { id: 5, hash: '44'.repeat(32), savedAt: '2026-11-02T12:00:00.000Z' },
      drawings: {},
    });
    await renderPath('/garden-bag/success/7');
    expect(await alert()).toHaveTextContent('kept on November 2, 2026');
    expect(screen.getByRole('heading', { level: 1 })).toBeInTheDocument();
  });
});
