import { number, object, string } from 'yup';
import { lengthOf } from '../../../shared/lib/lengthOf';
import { reason } from '../../form/rules';
import { tagsIn } from './tags';

const TAGS = 20;
const TAG_CHARS = 40;
const NOTES_CHARS = 5_000;

/** The server's rules for tags and notes. */
export const notesSchema = object({
  tags: string()
    .defined()
    .test('count', `Must be at most ${TAGS} tags`, (line) => tagsIn(line).length <= TAGS)
    .test('length', `Each tag must have at most ${TAG_CHARS} characters`, (line) =>
      tagsIn(line).every((tag) => lengthOf(tag) <= TAG_CHARS),
    ),
  notes: string()
    .defined()
    .test(
      'max',
      `Must have at most ${NOTES_CHARS.toLocaleString('en-US')} characters`,
      (notes) => lengthOf(notes.trim()) <= NOTES_CHARS,
    ),
});

/** The server's rules for a mark as a duplicate; it says itself whether there is such an entry. */
export const duplicateSchema = object({
  userId: number()
    .typeError('Enter the ID of the entry that stays.')
    .integer('Enter the ID of the entry that stays.')
    .positive('Enter the ID of the entry that stays.')
    .required('Enter the ID of the entry that stays.'),
  reason: reason(),
});

export const optOutSchema = object({ reason: reason() });

/** Codes have six digits; people type spaces and hyphens into them. */
export const codeSchema = object({
  code: string()
    .defined()
    .test('code', 'Enter the six digits of the code.', (code) =>
      /^\d{6}$/.test(code.replace(/[\s-]/g, '')),
    ),
});
