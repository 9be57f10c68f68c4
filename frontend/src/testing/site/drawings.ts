import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { Drawing } from '../../site/features/drawings/api';
import type {
  Leaf,
  LogEntry,
  Proof,
  Proof2,
} from '../../site/features/drawings/verification/proof';
import { refusing } from '../server';

export { aDrawing } from './builders';

interface Vectors {
  proofs: { proof: Proof; entrants: string }[];
  drawings: {
    entrants: { id: number; weight: number }[];
    leaves: Omit<Leaf, 'weight'>[] & { salt: string }[];
    paths: string[][];
    root: string;
    totalParticipants: number;
  }[];
}

export const vectors = JSON.parse(
  readFileSync(join(process.cwd(), '../docs/drawing-vectors.json'), 'utf8'),
) as Vectors;
/** A drawing that passes all checks, and its list. */
export const { proof, entrants } = vectors.proofs.find(
  ({ proof }) => proof.totalParticipants === 33,
)!;
export const rows = entrants.trimEnd().split('\n').length - 1;

export const listing = (drawings: Drawing[], total = drawings.length, asked: string[] = []) =>
  http.get('*/api/drawings', ({ request }) => {
    asked.push(new URL(request.url).search);
    return HttpResponse.json(drawings, { headers: { 'X-Total-Count': String(total) } });
  });

/** What is published of an announced drawing. */
export const announcement = {
  commitment: 'ab'.repeat(32),
  seedSource: 'os',
  committedAt: '2026-11-01T04:00:00.000000Z',
  drawing: 8,
  status: 'announced',
  period: '2026-11',
  sealDueAt: '2026-12-01T05:00:00.000000Z',
  beacon: {
    chainHash: 'ef'.repeat(32),
    round: 35_000_000,
    expectedAt: '2026-12-01T17:00:00.000000Z',
    waitingSince: null,
  },
};

export const committed = http.get('*/api/raffles/:landingPage/commitment', ({ params }) =>
  HttpResponse.json({ ...announcement, landingPage: params.landingPage }),
);

export const proving = (changes: Partial<Proof> = {}) =>
  http.get('*/api/drawings/:id/proof', () => HttpResponse.json({ ...proof, ...changes }));
export const list = (text = entrants) =>
  http.get('*/api/drawings/:id/entrants', () => HttpResponse.text(text));
export const strangers = refusing('/api/drawings/:id/own-leaf', 404, {
  error: 'No',
  code: 'not_found',
});

export const section = (name: string) => screen.findByRole('region', { name });

interface Vectors2 {
  proofs: { name: string; proof: Proof2; entrants: string; logAfter: LogEntry[] | null }[];
}

const vectors2 = JSON.parse(
  readFileSync(join(process.cwd(), '../docs/drawing-vectors-2.json'), 'utf8'),
) as Vectors2;

/** A drawing of version 2, and its list. */
export const version2 = (name: string) => vectors2.proofs.find((each) => each.name === name)!;

export const proving2 = (proof: Proof2) =>
  http.get('*/api/drawings/:id/proof', () => HttpResponse.json(proof));
export const logging = (entries: LogEntry[], asked: string[] = []) =>
  http.get('*/api/drawings/log', ({ request }) => {
    const after = Number(new URL(request.url).searchParams.get('after'));
    asked.push(String(after));
    const lines = entries.filter(({ id }) => id > after).map((entry) => JSON.stringify(entry));
    return HttpResponse.text(lines.map((line) => `${line}\n`).join(''));
  });
