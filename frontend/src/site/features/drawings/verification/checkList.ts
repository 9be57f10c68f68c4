/** What must hold of the list of entrants: docs/drawing.md, section 10, number 12. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { setU64 } from './bytes';
import { leafHash, RootOf } from './merkle';
import { isDrawn, type Leaf, type Proof } from './proof';

const HEADER = 'index,firstEntry,weight,blindedId';
const ROW = /^(0|[1-9]\d{0,15}),(0|[1-9]\d{0,15}),(0|[1-9]\d{0,15}),([0-9a-f]{48})$/;

/** Checks a list row by row, so that it never has to be held as a whole. */
export class ListChecker {
  rows = 0;
  private readonly weights = sha256.create();
  private readonly weight = new DataView(new ArrayBuffer(8));
  private entries = 0;
  private started = false;
  private readonly root = new RootOf();
  private problem: string | undefined;
  /** Lines that the proof names and that were not read yet. */
  private unread: { line: string; leaf: Leaf | undefined }[];

  constructor(private readonly proof: Proof) {
    this.unread = knownLines(proof);
  }

  /** False if no more lines should be read: this is not a list, or it has too many lines. */
  add(line: string): boolean {
    if (!this.started) return this.start(line);
    const leaf = leafOf(line);
    if (!leaf) return this.stop(`Line ${this.rows + 1} is not a line of a list.`);
    if (this.rows === this.proof.totalParticipants) {
      return this.stop(`There are more than ${this.rows} lines.`);
    }
    this.count(leaf);
    this.compare(leaf);
    this.root.add(leafHash(leaf));
    return true;
  }

  /** What is wrong, in a sentence, or nothing. To be asked once, when `add` was false or there are no more lines. */
  finish(): string | undefined {
    const { totalParticipants, totalEntries, weightsHash, root } = this.proof;
    if (this.rows !== totalParticipants) {
      this.fail(`There are ${this.rows} lines, not ${totalParticipants}.`);
    }
    if (this.entries !== totalEntries) {
      this.fail(`There are ${this.entries} entries, not ${totalEntries}.`);
    }
    if (bytesToHex(this.weights.digest()) !== weightsHash) {
      this.fail('The entries of the lines do not give the hash of the weights.');
    }
    const listRoot = this.root.finish();
    if (listRoot !== root) this.fail(`The list's root is ${listRoot ?? 'none'}.`);
    for (const { line } of this.unread) this.fail(`${line} is not on the list.`);
    return this.problem;
  }

  private start(line: string): boolean {
    this.started = true;
    return line === HEADER || this.stop('The file does not begin as a list does.');
  }

  private count({ index, firstEntry, weight }: Leaf): void {
    const [line, next] = [this.rows + 1, this.entries + 1];
    if (index !== this.rows) {
      this.fail(`Line ${line} has the index ${index}, not ${this.rows}.`);
    } else if (firstEntry !== next) {
      this.fail(`Line ${line} begins at entry ${firstEntry}, not ${next}.`);
    } else if (weight < 1) {
      this.fail(`Line ${line} has no entry.`);
    }
    this.rows = line;
    this.entries += weight;
    setU64(this.weight, 0, weight);
    this.weights.update(new Uint8Array(this.weight.buffer));
  }

  private compare(leaf: Leaf): void {
    if (this.unread.some((known) => isSame(leaf, known.leaf))) {
      this.unread = this.unread.filter((known) => !isSame(leaf, known.leaf));
    }
  }

  private stop(problem: string): false {
    this.fail(problem);
    return false;
  }

  /** The first problem is the one to tell: the others mostly follow from it. */
  private fail(problem: string): void {
    this.problem ??= problem;
  }
}

/** The leaves of a proof may be missing in what a server sends. */
function knownLines(proof: Proof): { line: string; leaf: Leaf | undefined }[] {
  const last = { line: 'The last line', leaf: proof.last?.leaf };
  if (!isDrawn(proof)) return [last];
  const ranks = proof.ranks.map(({ rank, leaf }) => ({ line: `The line of rank ${rank}`, leaf }));
  return [...ranks, last];
}

function leafOf(line: string): Leaf | undefined {
  const [, index, firstEntry, weight, blindedId] = ROW.exec(line) ?? [];
  if (!blindedId) return undefined;
  const leaf = { index: Number(index), firstEntry: Number(firstEntry), weight: Number(weight) };
  return Object.values(leaf).every(Number.isSafeInteger) ? { ...leaf, blindedId } : undefined;
}

const isSame = (a: Leaf, b: Leaf | undefined): boolean =>
  a.index === b?.index &&
  a.firstEntry === b.firstEntry &&
  a.weight === b.weight &&
  a.blindedId === b.blindedId;
