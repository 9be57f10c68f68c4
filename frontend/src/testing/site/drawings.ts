import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect } from 'vitest';
import type { Drawing } from '../../site/features/drawings/api';
import type { Leaf, LogEntry, Proof } from '../../site/features/drawings/verification/proof';
import { refusing } from '../server';

export { aDrawing } from './builders';

interface Vectors {
  proofs: { name: string; proof: Proof; entrants: string; logAfter: LogEntry[] | null }[];
  drawings: {
    entrants: { id: number; personSalt: string; number: string; weight: number }[];
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
export const vector = (name: string) => vectors.proofs.find((each) => each.name === name)!;

export const listing = (drawings: Drawing[], total = drawings.length, asked: string[] = []) =>
  http.get('*/api/drawings', ({ request }) => {
    asked.push(new URL(request.url).search);
    return HttpResponse.json(drawings, { headers: { 'X-Total-Count': String(total) } });
  });

export const proving = (proof: Proof) =>
  http.get('*/api/drawings/:id/proof', () => HttpResponse.json(proof));
export const list = (text = vector('drawn').entrants) =>
  http.get('*/api/drawings/:id/entrants', () => HttpResponse.text(text));
export const strangers = refusing('/api/drawings/:id/own-leaf', 404, {
  error: 'No',
  code: 'not_found',
});

export const section = (name: string) => screen.findByRole('region', { name });

/** A section that opens, once its file is there. */
export async function folded(name: string): Promise<HTMLElement> {
  const fold = await section(name);
  await waitFor(() => expect(fold.querySelector('.folded')).not.toBeEmptyDOMElement());
  return fold;
}

export const logging = (entries: LogEntry[], asked: string[] = []) =>
  http.get('*/api/drawings/log', ({ request }) => {
    const after = Number(new URL(request.url).searchParams.get('after'));
    asked.push(String(after));
    const lines = entries.filter(({ id }) => id > after).map((entry) => JSON.stringify(entry));
    return HttpResponse.text(lines.map((line) => `${line}\n`).join(''));
  });
