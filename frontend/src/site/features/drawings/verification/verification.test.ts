// @vitest-environment node
import { readFileSync } from 'node:fs';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { checkDrawing, type Report } from './checkDrawing';
import { checks, type Check } from './checks';
import { checkOwnLeaf } from './checkOwnLeaf';
import { blindedIdOf, isUnder, leafHash, RootOf } from './merkle';
import type { Leaf, Proof } from './proof';
import { recordText, verificationHash } from './record';
import { keyOf, outputsOf, winningEntryNumber } from './winner';

interface Vectors {
  drawings: {
    name: string;
    seed: string;
    entrants: { id: number; weight: number }[];
    leaves: {
      salt: string;
      blindedId: string;
      index: number;
      firstEntry: number;
      hash: string;
    }[];
    root: string;
    totalParticipants: number;
    totalEntries: number;
    key: string;
    winningEntryNumber: number;
    winnerIndex: number;
    paths: string[][];
    csv: string;
  }[];
  winners: {
    seed: string;
    root: string;
    totalParticipants: string;
    totalEntries: string;
    key: string;
    outputs: string[];
    winningEntryNumber: string;
  }[];
  proofs: { proof: Proof; entrants: string; recordText: string }[];
}

const file = new URL('../../../../../../docs/drawing-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

const leavesOf = ({ leaves, entrants }: Vectors['drawings'][number]): Leaf[] =>
  leaves.map((leaf, index) => ({ ...leaf, weight: entrants[index]!.weight }));

/** A list in pieces that end anywhere, as the network brings it. */
function streamOf(text: string, pieceBytes = 7): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}

async function reportsOf(proof: Proof, list: string): Promise<Report[]> {
  const reports: Report[] = [];
  await checkDrawing(
    proof,
    () => Promise.resolve(streamOf(list)),
    (report) => reports.push(report),
  );
  return reports;
}

async function failures(proof: Proof, list: string): Promise<Partial<Record<Check, string>>> {
  const reports = await reportsOf(proof, list);
  const checked = reports.filter((report) => report.kind === 'checked');
  expect(checked.map(({ check }) => check)).toEqual(checks);
  expect(reports.at(-1)).toEqual({ kind: 'done' });
  return Object.fromEntries(
    checked.filter(({ problem }) => problem).map(({ check, problem }) => [check, problem]),
  );
}

describe('the test vectors', () => {
  it.each(vectors.drawings)('give the leaves and the root of $name', (drawing) => {
    const root = new RootOf();
    for (const [index, leaf] of leavesOf(drawing).entries()) {
      const expected = drawing.leaves[index]!;
      expect(blindedIdOf(expected.salt, drawing.entrants[index]!.id)).toBe(expected.blindedId);
      expect(bytesToHex(leafHash(leaf))).toBe(expected.hash);
      root.add(leafHash(leaf));
    }
    expect(root.finish()).toBe(drawing.root);
  });

  it.each(vectors.drawings)('lead each leaf of $name to the root, and no other way', (drawing) => {
    const { root, totalParticipants: size, paths } = drawing;
    for (const [index, leaf] of leavesOf(drawing).entries()) {
      const path = paths[index]!;
      expect(isUnder(root, size, { leaf, path })).toBe(true);
      expect(isUnder(root, size, { leaf: { ...leaf, index: index + size }, path })).toBe(false);
      expect(isUnder(root, size, { leaf: { ...leaf, weight: leaf.weight + 1 }, path })).toBe(false);
      expect(isUnder(root, size, { leaf, path: [...path, root] })).toBe(false);
      if (size > 1) expect(isUnder(root, size, { leaf, path: path.slice(1) })).toBe(false);
    }
  });

  it.each(vectors.drawings)('draw the winner of $name', (drawing) => {
    const drawn = {
      ...drawing,
      totalParticipants: BigInt(drawing.totalParticipants),
      totalEntries: BigInt(drawing.totalEntries),
    };
    expect(bytesToHex(keyOf(drawn))).toBe(drawing.key);
    expect(winningEntryNumber(drawn)).toBe(BigInt(drawing.winningEntryNumber));
    const { firstEntry, weight } = leavesOf(drawing)[drawing.winnerIndex]!;
    expect(drawing.winningEntryNumber).toBeGreaterThanOrEqual(firstEntry);
    expect(drawing.winningEntryNumber).toBeLessThan(firstEntry + weight);
  });

  it.each(vectors.winners)('draw from $totalEntries entries', (winner) => {
    const drawn = {
      ...winner,
      totalParticipants: BigInt(winner.totalParticipants),
      totalEntries: BigInt(winner.totalEntries),
    };
    const outputs = outputsOf(keyOf(drawn));
    expect(winner.outputs.map(() => outputs.next().value.toString())).toEqual(winner.outputs);
    expect(winningEntryNumber(drawn).toString()).toBe(winner.winningEntryNumber);
  });

  it('make at least one drawing pass over an output', () => {
    expect(Math.max(...vectors.winners.map(({ outputs }) => outputs.length))).toBeGreaterThan(1);
  });

  it.each(vectors.proofs)('sum up drawing $proof.drawing', ({ proof, recordText: expected }) => {
    expect(recordText(proof)).toBe(expected);
    expect(verificationHash(proof)).toBe(proof.verificationHash);
  });

  it.each(vectors.proofs)('let drawing $proof.drawing pass', async ({ proof, entrants }) => {
    expect(await failures(proof, entrants)).toEqual({});
    expect(await reportsOf(proof, entrants)).toContainEqual({
      kind: 'rows',
      rows: proof.totalParticipants,
    });
  });
});

const big = vectors.proofs.reduce((a, b) =>
  b.proof.totalParticipants > a.proof.totalParticipants ? b : a,
);

/** Another value of the same kind. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') throw new Error('no value of a proof');
  if (/^\d{4}-/.test(value)) return value.replace(/^\d/, '3');
  return /^[0-9a-f]+$/.test(value)
    ? value.replace(/^./, (d) => (d === '0' ? '1' : '0'))
    : `${value}x`;
}

function withChanged(proof: Proof, path: string): Proof {
  const changed = structuredClone(proof);
  const steps = path.split('.');
  const name = steps.pop()!;
  const owner = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], changed);
  const record = owner as Record<string, unknown>;
  record[name] = other(record[name]);
  return changed;
}

describe('a proof with one thing changed', () => {
  it.each<[string, Check[]]>([
    ['scheme', ['scheme']],
    ['drawing', ['record']],
    ['landingPage', ['record']],
    ['commitment', ['seed', 'record']],
    ['committedAt', ['record']],
    ['seedSource', ['record']],
    ['seed', ['seed', 'draw', 'record']],
    ['root', ['winnerLeaf', 'lastLeaf', 'draw', 'record', 'listRoot']],
    ['totalParticipants', ['lastLeaf', 'draw', 'record', 'listTotals']],
    ['totalEntries', ['lastLeaf', 'draw', 'record', 'listTotals']],
    ['winningEntryNumber', ['draw', 'record']],
    ['drawnAt', ['record']],
    ['winner.leaf.index', ['winnerLeaf', 'listLines']],
    ['winner.leaf.firstEntry', ['winnerLeaf', 'listLines']],
    ['winner.leaf.weight', ['winnerLeaf', 'listLines']],
    ['winner.leaf.blindedId', ['winnerLeaf', 'listLines']],
    ['winner.path.0', ['winnerLeaf']],
    ['last.leaf.index', ['lastLeaf', 'listLines']],
    ['last.leaf.firstEntry', ['lastLeaf', 'listLines']],
    ['last.leaf.weight', ['lastLeaf', 'listLines']],
    ['last.leaf.blindedId', ['lastLeaf', 'listLines']],
    ['last.path.0', ['lastLeaf']],
    ['verificationHash', ['record']],
  ])('%s fails in %j', async (path, expected) => {
    const failed = Object.keys(await failures(withChanged(big.proof, path), big.entrants));
    expect(failed).toEqual(expect.arrayContaining(expected));
  });

  it.each<[string, unknown, Check]>([
    ['seed', 'none', 'seed'],
    ['seed', 7, 'seed'],
    ['root', null, 'winnerLeaf'],
    ['totalEntries', '6', 'draw'],
    ['totalEntries', 0, 'draw'],
    ['totalParticipants', 1.5, 'lastLeaf'],
    ['winningEntryNumber', '4', 'winnerEntry'],
    ['winner', null, 'winnerEntry'],
    ['last', { leaf: big.proof.last.leaf }, 'lastLeaf'],
  ])('%s as %j is a failed check, not a fault of the page', async (name, value, check) => {
    const failed = await failures({ ...big.proof, [name]: value }, big.entrants);
    expect(failed[check]).toMatch(/\S/);
  });

  it('another winner with a way of their own does not hold the entry', async () => {
    const drawing = vectors.drawings.find(
      ({ name, totalParticipants }) => name && totalParticipants === 3,
    )!;
    const leaves = leavesOf(drawing);
    const inclusion = (index: number) => ({ leaf: leaves[index]!, path: drawing.paths[index]! });
    const proof = { ...big.proof, ...drawing, last: inclusion(2) };
    const right = await failures({ ...proof, winner: inclusion(drawing.winnerIndex) }, drawing.csv);
    expect(right).not.toHaveProperty('winnerEntry');
    const wrong = { ...proof, winner: inclusion((drawing.winnerIndex + 1) % 3) };
    expect(await failures(wrong, drawing.csv)).toHaveProperty('winnerEntry');
    expect(await failures(wrong, drawing.csv)).not.toHaveProperty('winnerLeaf');
  });
});

describe('a list with one thing changed', () => {
  const lines = big.entrants.trimEnd().split('\n');
  const text = (rows: string[]) => rows.map((row) => `${row}\n`).join('');
  const edited = (at: number, edit: (cells: string[]) => void) => {
    const cells = lines[at]!.split(',');
    edit(cells);
    return text(lines.with(at, cells.join(',')));
  };

  it.each<[string, string, Check[]]>([
    ['an index', edited(2, (cells) => (cells[0] = '7')), ['listNumbers', 'listRoot']],
    ['a first entry', edited(2, (cells) => (cells[1] += '0')), ['listNumbers', 'listRoot']],
    ['a weight', edited(2, (cells) => (cells[2] += '0')), ['listTotals', 'listRoot']],
    ['no weight', edited(2, (cells) => (cells[2] = '0')), ['listNumbers', 'listRoot']],
    ['a blinded id', edited(1, (cells) => (cells[3] = '0'.repeat(48))), ['listRoot']],
    ['a missing line', text(lines.toSpliced(1, 1)), ['listNumbers', 'listTotals', 'listRoot']],
    ['a missing last line', text(lines.slice(0, -1)), ['listTotals', 'listRoot', 'listLines']],
    ['one line more', text([...lines, lines.at(-1)!]), ['listTotals']],
    ['a line twice', text(lines.toSpliced(1, 0, lines[1]!)), ['listNumbers', 'listTotals']],
    [
      'two lines swapped',
      text(lines.toSpliced(1, 2, lines[2]!, lines[1]!)),
      ['listNumbers', 'listRoot'],
    ],
    ['no first line', text(lines.slice(1)), ['listNumbers', 'listTotals', 'listRoot', 'listLines']],
    ['another first line', text(['a,b', ...lines.slice(1)]), ['listNumbers']],
    ['a column more', edited(2, (cells) => cells.push('1')), ['listNumbers', 'listRoot']],
    ['upper case', edited(1, (cells) => (cells[3] = `A${cells[3]!.slice(1)}`)), ['listNumbers']],
    ['a number beyond 2⁵³', edited(2, (cells) => (cells[2] = '9007199254740992')), ['listNumbers']],
    ['carriage returns', lines.join('\r\n'), ['listNumbers']],
    ['no line feed at its end', lines.join('\n'), ['listTotals', 'listRoot']],
    ['a byte order mark', `\ufeff${big.entrants}`, ['listNumbers']],
    ['one line without an end', lines[0]! + '\n' + '1'.repeat(5_000), ['listNumbers', 'listRoot']],
    ['nothing', '', ['listTotals', 'listRoot', 'listLines']],
  ])('%s fails', async (_, list, expected) => {
    const failed = await failures(big.proof, list);
    expect(Object.keys(failed)).toEqual(expect.arrayContaining(expected));
    expect(Object.keys(failed).every((check) => check.startsWith('list'))).toBe(true);
  });

  it('is not called false when it did not arrive', async () => {
    const reports: Report[] = [];
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text(lines.slice(0, 3)))),
      pull: (controller) => controller.error(new Error('the connection is gone')),
    });
    await checkDrawing(
      big.proof,
      () => Promise.resolve(broken),
      (report) => reports.push(report),
    );
    await checkDrawing(
      big.proof,
      () => Promise.reject(new Error('404')),
      (report) => reports.push(report),
    );
    expect(reports.filter(({ kind }) => kind === 'unread')).toHaveLength(2);
    expect(
      reports.some((report) => report.kind === 'checked' && report.check.startsWith('list')),
    ).toBe(false);
  });
});

describe('somebody’s own line', () => {
  const drawing = vectors.drawings.find(({ totalParticipants }) => totalParticipants === 7)!;
  const proof = { ...big.proof, ...drawing };
  const own = {
    entrantId: drawing.entrants[4]!.id,
    salt: drawing.leaves[4]!.salt,
    leaf: leavesOf(drawing)[4]!,
    path: drawing.paths[4]!,
  };

  it('holds', () => {
    expect(checkOwnLeaf(own, proof)).toBeUndefined();
  });

  it.each([
    ['another id', { ...own, entrantId: own.entrantId + 1 }, /blinded id/],
    ['another salt', { ...own, salt: drawing.leaves[3]!.salt }, /blinded id/],
    ['an invalid salt', { ...own, salt: 'salt' }, /hexadecimal/],
    ['fewer entries', { ...own, leaf: { ...own.leaf, weight: own.leaf.weight - 1 } }, /root/],
    ['another way', { ...own, path: drawing.paths[3]! }, /root/],
  ])('fails with %s', (_, changed, problem) => {
    expect(checkOwnLeaf(changed, proof)).toMatch(problem);
  });
});

it(
  'a list of a hundred thousand is checked in seconds, in little memory',
  { timeout: 30_000 },
  () => {
    const root = new RootOf();
    const blindedId = '0'.repeat(48);
    for (let index = 0; index < 100_000; index += 1) {
      root.add(leafHash({ index, firstEntry: index + 1, weight: 1, blindedId }));
    }
    expect(Reflect.get(root, 'peaks')).toHaveLength(6); // the ones of 100,000 in binary
    expect(root.finish()).toMatch(/^[0-9a-f]{64}$/);
  },
);
