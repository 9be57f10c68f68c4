// @vitest-environment node
import { readFileSync } from 'node:fs';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { checkDrawing, type Report } from './checkDrawing';
import { checksOf, type Check } from './checks';
import { checkOwnLeaf } from './checkOwnLeaf';
import { checkBeacon } from './checkProof';
import { checkChain, isWitnessed, logText, readLog } from './log';
import { blindedIdOf, isUnder, leafHash, RootOf, tagOf } from './merkle';
import { isDrawn, type DrawnProof, type Leaf, type LogEntry, type Proof, type Rank } from './proof';
import { checkRanks, drawKey, outputsOf, type Draw } from './ranks';
import { recordText, verificationHash } from './record';

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
    proof: Proof;
    entrants: string;
    recordText: string | null;
    logBefore: LogEntry[];
    logAfter: LogEntry[] | null;
    says: { noLog: string[]; logBefore: string[]; logAfter: string[] };
  }[];
  cases: {
    name: string;
    proof: string;
    changes: Partial<Proof>;
    entrants?: string;
    log?: LogEntry[];
    fails: Check[];
  }[];
}

const file = new URL('../../../../../../docs/drawing-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const named = (name: string) => vectors.proofs.find((each) => each.name === name)!;
const drawn = named('drawn');

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

async function reportsOf(proof: Proof, list: string, log?: LogEntry[]): Promise<Report[]> {
  const reports: Report[] = [];
  const open = () => Promise.resolve(streamOf(list));
  await checkDrawing(proof, open, (report) => reports.push(report), log);
  return reports;
}

async function checkedBy(proof: Proof, list: string, log?: LogEntry[]) {
  const reports = await reportsOf(proof, list, log);
  expect(reports.at(-1)).toEqual({ kind: 'done' });
  const checked = reports.filter((report) => report.kind === 'checked');
  const order = (names: Check[]) => [...names].sort();
  expect(order(checked.map(({ check }) => check))).toEqual(order(checksOf(proof, log)));
  return checked;
}

async function failuresOf(proof: Proof, list: string, log?: LogEntry[]): Promise<Check[]> {
  const checked = await checkedBy(proof, list, log);
  return checked.filter(({ problem }) => problem).map(({ check }) => check);
}

describe('the test vectors', () => {
  it.each(vectors.drawings)('give the leaves and the root of $name', (drawing) => {
    const root = new RootOf();
    for (const [index, expected] of drawing.leaves.entries()) {
      const { id, weight, personSalt, number } = drawing.entrants[index]!;
      expect(tagOf(personSalt, number)).toBe(expected.tag);
      expect(blindedIdOf(expected.salt, id, expected.tag)).toBe(expected.blindedId);
      const hash = leafHash({ ...expected, weight });
      expect(bytesToHex(hash)).toBe(expected.hash);
      root.add(hash);
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
    ({ proof, recordText: expected }) => {
      expect(recordText(proof as DrawnProof)).toBe(expected);
      expect(verificationHash(proof as DrawnProof)).toBe((proof as DrawnProof).verificationHash);
    },
  );

  it.each(vectors.proofs)('let a proof pass: $name', async ({ proof, entrants, ...logs }) => {
    expect(await failuresOf(proof, entrants)).toEqual([]);
    expect(await reportsOf(proof, entrants)).toContainEqual({
      kind: 'rows',
      rows: proof.totalParticipants,
    });
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
    const changed = { ...proof, ...changes } as Proof;
    const failed = await failuresOf(changed, files.entrants ?? entrants, files.log);
    expect([...failed].sort()).toEqual([...fails].sort());
    if (files.log) expect(isWitnessed(files.log, changed)).toBe(false);
  });
});

describe('a proof that cannot be read', () => {
  it.each([
    ['seed', null],
    ['seed', 'none'],
    ['seed', 7],
    ['root', null],
    ['winningEntryNumber', '4'],
    ['last', { leaf: drawn.proof.last.leaf }],
    ['announcement', null],
    ['seal', {}],
    ['last', undefined],
    ['totalEntries', '6'],
    ['totalEntries', 0],
    ['totalParticipants', 1.5],
    ['winner', null],
    ['version', 7],
    ['version', undefined],
  ])('%s as %j is a failed check, not a fault of the page', async (name, value) => {
    const reports = await reportsOf({ ...drawn.proof, [name]: value }, drawn.entrants);
    expect(reports.some((report) => report.kind === 'checked' && report.problem)).toBe(true);
  });

  it('without a version is wrong even when none was announced', async () => {
    const { proof, entrants } = named('additional');
    const { version, ...without } = proof;
    expect(version).toBeNull();
    expect(await failuresOf(without as Proof, entrants)).toEqual(['prize']);
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

describe('a list with one thing changed', () => {
  const lines = drawn.entrants.trimEnd().split('\n');
  const text = (rows: string[]) => rows.map((row) => `${row}\n`).join('');
  const edited = (at: number, edit: (cells: string[]) => void) => {
    const cells = lines[at]!.split(',');
    edit(cells);
    return text(lines.with(at, cells.join(',')));
  };

  const root = /^The list's root is [0-9a-f]{64}\.$/;
  it.each<[string, string, RegExp]>([
    ['an index', edited(2, (cells) => (cells[0] = '7')), /^Line 2 has the index 7, not 1\.$/],
    ['a first entry', edited(2, (cells) => (cells[1] += '0')), /^Line 2 begins at entry/],
    ['a weight', edited(2, (cells) => (cells[2] += '0')), /^Line 3 begins at entry/],
    ['the last weight', edited(12, (cells) => (cells[2] += '0')), /^There are \d+ entries, not/],
    ['no weight', edited(2, (cells) => (cells[2] = '0')), /^Line 2 has no entry\.$/],
    ['a blinded id', edited(1, (cells) => (cells[3] = '0'.repeat(48))), root],
    ['a missing line', text(lines.toSpliced(1, 1)), /^Line 1 has the index 1, not 0\.$/],
    ['a missing last line', text(lines.slice(0, -1)), /^There are 11 lines, not 12\.$/],
    ['one line more', text([...lines, lines.at(-1)!]), /^There are more than 12 lines\.$/],
    ['a line twice', text(lines.toSpliced(1, 0, lines[1]!)), /^Line 2 has the index 0, not 1\.$/],
    [
      'two lines swapped',
      text(lines.toSpliced(1, 2, lines[2]!, lines[1]!)),
      /^Line 1 has the index/,
    ],
    ['no first line', text(lines.slice(1)), /^The file does not begin as a list does\.$/],
    ['another first line', text(['a,b', ...lines.slice(1)]), /^The file does not begin/],
    ['a column more', edited(2, (cells) => cells.push('1')), /^Line 2 is not a line of a list\.$/],
    ['upper case', edited(1, (cells) => (cells[3] = `A${cells[3]!.slice(1)}`)), /^Line 1 is not/],
    [
      'a number beyond 2⁵³',
      edited(2, (cells) => (cells[2] = '9007199254740992')),
      /^Line 2 is not/,
    ],
    ['carriage returns', lines.join('\r\n'), /^The file does not begin/],
    ['no line feed at its end', lines.join('\n'), /^Line 12 is not a line of a list\.$/],
    ['a byte order mark', `\ufeff${drawn.entrants}`, /^The file does not begin/],
    ['one line without an end', lines[0]! + '\n' + '1'.repeat(5_000), /^Line 1 is not a line/],
    ['nothing', '', /^There are 0 lines, not 12\.$/],
  ])('%s fails', async (_, list, problem) => {
    const checked = await checkedBy(drawn.proof, list);
    const failed = checked.filter((each) => each.problem);
    expect(failed).toEqual([
      { kind: 'checked', check: 'list', problem: expect.stringMatching(problem) as string },
    ]);
  });

  it('whose lines are others than those of the proof fails', async () => {
    const proof = drawn.proof as DrawnProof;
    const leaf = { ...proof.last.leaf, blindedId: '0'.repeat(48) };
    const checked = await checkedBy({ ...proof, last: { ...proof.last, leaf } }, drawn.entrants);
    expect(checked.at(-1)).toMatchObject({
      check: 'list',
      problem: 'The last line is not on the list.',
    });
  });

  it('is not called false when it did not arrive', async () => {
    const reports: Report[] = [];
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text(lines.slice(0, 3)))),
      pull: (controller) => controller.error(new Error('the connection is gone')),
    });
    await checkDrawing(
      drawn.proof,
      () => Promise.resolve(broken),
      (report) => reports.push(report),
    );
    await checkDrawing(
      drawn.proof,
      () => Promise.reject(new Error('404')),
      (report) => reports.push(report),
    );
    expect(reports.filter(({ kind }) => kind === 'unread')).toHaveLength(2);
    expect(reports.some((report) => report.kind === 'checked' && report.check === 'list')).toBe(
      false,
    );
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
    expect(load).toHaveBeenCalledTimes(3); // the additional drawing, the refused seal and the list of a void drawing
  });
});

describe("somebody's own line", () => {
  const drawing = vectors.drawings.find(({ totalParticipants }) => totalParticipants === 8)!;
  const proof = { ...drawn.proof, ...drawing } as Proof;
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
    ['another salt', { salt: drawing.leaves[3]!.salt }, /blinded id/],
    ['an invalid salt', { salt: 'salt' }, /hexadecimal/],
    ['fewer entries', { leaf: { ...own.leaf, weight: own.leaf.weight - 1 } }, /root/],
    ['another path', { path: drawing.paths[3]! }, /root/],
  ])('fails with %s', (_, changes, problem) => {
    expect(checkOwnLeaf({ ...own, ...changes }, proof)).toMatch(problem);
  });
});

it('a list of a hundred thousand is checked in seconds, in little memory', () => {
  const root = new RootOf();
  const blindedId = '0'.repeat(48);
  for (let index = 0; index < 100_000; index += 1) {
    root.add(leafHash({ index, firstEntry: index + 1, weight: 1, blindedId }));
  }
  expect(Reflect.get(root, 'peaks')).toHaveLength(6); // the ones of 100,000 in binary
  expect(root.finish()).toMatch(/^[0-9a-f]{64}$/);
});
