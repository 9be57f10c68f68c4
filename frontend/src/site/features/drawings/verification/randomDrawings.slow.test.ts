// @vitest-environment node
import { it } from 'vitest';
import { compareRandomDrawings } from '../../../../testing/site/randomDrawings';

it(
  '10,000 random drawings are the same in Python, and so in the server',
  () => compareRandomDrawings(10_000),
  300_000,
);
