// @vitest-environment node
import { readFileSync } from 'node:fs';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { checkDrawing, type Report } from './checkDrawing';
import { checksOf, type Check } from './checks';
import { checkOwnLeaf } from './checkOwnLeaf';
import { checkBeacon } from './checkProof2';
import { checkChain, isWitnessed, logText, readLog } from './log';
import { blindedIdOf2, leafHash, RootOf, tagOf } from './merkle';
import { isDrawn, type DrawnProof, type LogEntry, type Proof2, type Rank } from './proof';
import { checkRanks, drawKey, type Draw } from './ranks';
import { recordText2, verificationHash2 } from './record2';
import { outputsOf } from './winner';

interface Vectors {
  drawings: {
    name: string;
    entrants: { id: number; weight: number; personSalt: string; number: string }[];
    leaves: {
      tag: string;
      salt: string;
      blindedId: string;
      index: number;
      firstEntry: number;
      hash: string;
    }[];
    root: string;
    weightsHash: string;
    totalParticipants: number;
    totalEntries: number;
    paths: string[][];
    csv: string;
  }[];
  log: { entry: LogEntry; text: string }[];
  draws: (Draw & {
    name: string;
    weights: number[];
    key: string;
    firstOutputs: string[];
    outputsRead: number;
    ranks: { entryNumber: number; index: number }[];
  })[];
  proofs: {
    name: string;
    proof: Proof2;
    entrants: string;
    recordText: string | null;
    logBefore: LogEntry[];
    logAfter: LogEntry[] | null;
    says: { noLog: string[]; logBefore: string[]; logAfter: string[] };
  }[];
  cases: {
    name: string;
    proof: string;
    changes: Partial<Proof2>;
    entrants?: string;
    log?: LogEntry[];
    fails: Check[];
  }[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../../../docs/${name}`, import.meta.url), 'utf8'));
const vectors = read('drawing-vectors-2.json') as Vectors;
const named = (name: string) => vectors.proofs.find((each) => each.name === name)!;
const drawn = named('drawn');

async function reportsOf(proof: Proof2, list: string, log?: LogEntry[]): Promise<Report[]> {
  const reports: Report[] = [];
  const open = () => Promise.resolve(new Blob([list]).stream());
  await checkDrawing(proof, open, (report) => reports.push(report), log);
  return reports;
}

async function checkedBy(proof: Proof2, list: string, log?: LogEntry[]) {
  const reports = await reportsOf(proof, list, log);
  expect(reports.at(-1)).toEqual({ kind: 'done' });
  const checked = reports.filter((report) => report.kind === 'checked');
  const order = (names: Check[]) => [...names].sort();
  expect(order(checked.map(({ check }) => check))).toEqual(order(checksOf(proof, log)));
  return checked;
}

async function failuresOf(proof: Proof2, list: string, log?: LogEntry[]): Promise<Check[]> {
  const checked = await checkedBy(proof, list, log);
  return checked.filter(({ problem }) => problem).map(({ check }) => check);
}

describe('the test vectors of version 2', () => {
  it.each(vectors.drawings)('give the leaves and the root of $name', (drawing) => {
    const root = new RootOf();
    for (const [index, expected] of drawing.leaves.entries()) {
      const { id, weight, personSalt, number } = drawing.entrants[index]!;
      expect(tagOf(personSalt, number)).toBe(expected.tag);
      expect(blindedIdOf2(expected.salt, id, expected.tag)).toBe(expected.blindedId);
      const hash = leafHash({ ...expected, weight });
      expect(bytesToHex(hash)).toBe(expected.hash);
      root.add(hash);
    }
    expect(root.finish()).toBe(drawing.root);
  });

  it('give the log and its chain', () => {
    for (const { entry, text } of vectors.log) expect(logText(entry)).toBe(text);
    const entries = vectors.log.map(({ entry }) => entry);
    expect(checkChain(entries)).toBeUndefined();
    expect(checkChain(entries.slice(3))).toBeUndefined();
    expect(readLog(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))).toEqual(entries);
  });

  it.each(vectors.draws)('draw the ranks of $name', (vector) => {
    const key = drawKey(vector);
    expect(bytesToHex(key)).toBe(vector.key);
    const outputs = outputsOf(key);
    expect(vector.firstOutputs.map(() => outputs.next().value.toString())).toEqual(
      vector.firstOutputs,
    );
    const firstEntry = (index: number) =>
      1 + vector.weights.slice(0, index).reduce((sum, weight) => sum + weight, 0);
    const ranks: Rank[] = vector.ranks.map(({ entryNumber, index }, rank) => {
      const leaf = { index, firstEntry: firstEntry(index), weight: vector.weights[index]! };
      return { rank, entryNumber, leaf: { ...leaf, blindedId: '' }, path: [] };
    });
    expect(checkRanks(vector, ranks)).toBeUndefined();
    if (vector.outputsRead === 2 ** 20) return;
    expect(checkRanks(vector, ranks.slice(0, -1))).toMatch(/is drawn for rank/);
    expect(checkRanks(vector, [...ranks, ranks[0]!])).toMatch(/ranks, not/);
  });

  it.each(vectors.proofs.filter(({ recordText }) => recordText))(
    'sum up the facts: $name',
    ({ proof, recordText }) => {
      expect(recordText2(proof as DrawnProof)).toBe(recordText);
      expect(verificationHash2(proof as DrawnProof)).toBe((proof as DrawnProof).verificationHash);
    },
  );

  it.each(vectors.proofs)('let a proof pass: $name', async ({ proof, entrants, ...logs }) => {
    expect(await failuresOf(proof, entrants)).toEqual([]);
    for (const [log, says] of [
      [logs.logBefore, logs.says.logBefore],
      [logs.logAfter, logs.says.logAfter],
    ] as const) {
      if (!log) continue;
      expect(await failuresOf(proof, entrants, log)).toEqual([]);
      expect(isWitnessed(log, proof)).toBe(says.includes('sealed before the beacon'));
    }
  });

  it('let a proof pass whose winner was erased', async () => {
    const { winnerLast4, ...erased } = drawn.proof as DrawnProof;
    expect(winnerLast4).toBeTruthy();
    expect(await failuresOf(erased as DrawnProof, drawn.entrants)).toEqual([]);
  });

  it('leave a signature of an unknown beacon unchecked, and no other', async () => {
    for (const { name, proof, entrants } of vectors.proofs) {
      const checked = await checkedBy(proof, entrants);
      const unchecked = checked.filter((each) => each.unchecked).map(({ check }) => check);
      expect(unchecked, name).toEqual(name === 'another chain' ? ['beacon'] : []);
    }
  });

  it.each(vectors.cases)('fail: $name', async ({ proof: name, changes, fails, ...files }) => {
    const { proof, entrants } = named(name);
    const changed = { ...proof, ...changes } as Proof2;
    // Another scheme is not version 2: the page does not choose these checks for it.
    if (changed.scheme !== proof.scheme) return expect(fails).toContain('scheme');
    const failed = await failuresOf(changed, files.entrants ?? entrants, files.log);
    expect([...failed].sort()).toEqual([...fails].sort());
    if (files.log) expect(isWitnessed(files.log, changed)).toBe(false);
  });
});

describe('a proof that cannot be read', () => {
  it.each([
    ['seed', null],
    ['announcement', null],
    ['seal', {}],
    ['last', undefined],
    ['totalEntries', '6'],
    ['totalEntries', 0],
    ['totalParticipants', 1.5],
    ['winner', null],
  ])('%s as %j is a failed check, not a fault of the page', async (name, value) => {
    const reports = await reportsOf({ ...drawn.proof, [name]: value }, drawn.entrants);
    expect(reports.some((report) => report.kind === 'checked' && report.problem)).toBe(true);
  });

  it('without ranks has no list to compare', async () => {
    const reports = await reportsOf({ ...drawn.proof, ranks: null } as never, drawn.entrants);
    expect(reports.at(-1)).toEqual({ kind: 'unread' });
    const failed = reports.filter((report) => report.kind === 'checked' && report.problem);
    expect(failed).toHaveLength(3);
  });

  it.each(['', '1', '[]', '{', 'null'])('the details %j are no object', async (details) => {
    const announcement = { ...drawn.proof.announcement, details };
    const failed = await failuresOf({ ...drawn.proof, announcement }, drawn.entrants);
    expect(failed).toContain('announcement');
  });
});

describe('the beacon', () => {
  it('is not called false when the code for it does not arrive', async () => {
    const proof = drawn.proof as DrawnProof;
    const outcome = await checkBeacon(proof, () => Promise.reject(new Error('offline')));
    expect(outcome).toEqual({ unchecked: expect.stringContaining('did not arrive') as string });
  });

  it('needs that code only for a signature', async () => {
    const load = vi.fn(() => Promise.resolve(() => true));
    for (const { name, proof } of vectors.proofs) {
      if (isDrawn(proof) && name !== 'drawn') await checkBeacon(proof, load);
    }
    expect(load).toHaveBeenCalledTimes(2); // the additional drawing and the refused seal
  });
});

describe('somebody’s own line in version 2', () => {
  const drawing = vectors.drawings.find(({ totalParticipants }) => totalParticipants === 8)!;
  const proof = { ...drawn.proof, ...drawing } as Proof2;
  const { id, weight, personSalt, number } = drawing.entrants[4]!;
  const own = {
    entrantId: id,
    phoneNumber: number,
    personSalt,
    salt: drawing.leaves[4]!.salt,
    leaf: { ...drawing.leaves[4]!, weight },
    path: drawing.paths[4]!,
  };

  it('holds', () => {
    expect(checkOwnLeaf(own, proof)).toBeUndefined();
  });

  it.each([
    ['another id', { entrantId: id + 1 }, /blinded id/],
    ['another number', { phoneNumber: '+15550000000' }, /blinded id/],
    ['another salt of the person', { personSalt: 'ab'.repeat(32) }, /blinded id/],
    ['no salt of the person', { personSalt: null }, /hexadecimal/],
    ['another path', { path: drawing.paths[3]! }, /root/],
  ])('fails with %s', (_, changes, problem) => {
    expect(checkOwnLeaf({ ...own, ...changes }, proof)).toMatch(problem);
  });
});
